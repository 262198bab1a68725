/** The contrast of an element's text with its own ground, 1 to 21. @see WCAG 2, contrast ratio */
export function contrastOf(element: Element): number | undefined {
  const { color, backgroundColor } = getComputedStyle(element)
  const [text, ground] = [color, backgroundColor].map(luminanceOf)
  if (text === undefined || ground === undefined) return undefined
  return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)
}

/** A canvas converts a colour of any notation to sRGB. */
function luminanceOf(color: string): number | undefined {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) return undefined
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(channel: number): number {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
