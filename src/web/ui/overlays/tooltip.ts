export type TooltipSide = 'top' | 'right' | 'bottom' | 'left'

/**
 * The attributes of an element that shows a text at hover and at keyboard focus. The text is only seen: the
 * element needs an accessible name of its own. `TooltipHost` shows it.
 */
export function tooltip(text: string, side: TooltipSide = 'top') {
  return { 'data-tooltip': text, 'data-tooltip-side': side }
}
