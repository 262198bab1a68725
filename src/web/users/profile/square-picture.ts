/** Twice the largest size in which it is shown. */
const side = 256

/**
 * The middle of a picture as a small square JPEG, without what a camera writes into it.
 * @returns undefined for a file that the browser cannot draw
 */
export async function squareOf(file: Blob): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  const cut = Math.min(bitmap.width, bitmap.height)
  const canvas = new OffscreenCanvas(side, side)
  const context = canvas.getContext('2d')
  if (!context) return undefined
  // A transparent picture would become black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.drawImage(bitmap, (bitmap.width - cut) / 2, (bitmap.height - cut) / 2, cut, cut, 0, 0, side, side)
  bitmap.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
}
