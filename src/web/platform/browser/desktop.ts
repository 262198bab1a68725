import { storedChoice } from './stored.ts'

/**
 * Whether desktop notifications are shown while this tab is not being looked at, and whether they include
 * message text.
 */
export const desktopChoices = ['off', 'names', 'texts'] as const
export type DesktopChoice = (typeof desktopChoices)[number]

export const desktopChoice = storedChoice(
  'desktop_notifications',
  (stored): DesktopChoice => desktopChoices.find((choice) => choice === stored) ?? 'off',
)

/** Asks the browser for permission; must be called from a click. @returns whether it is granted */
export async function requestDesktopPermission(): Promise<boolean> {
  if (!('Notification' in window)) return false
  return (await Notification.requestPermission()) === 'granted'
}
