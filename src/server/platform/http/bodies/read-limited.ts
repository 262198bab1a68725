/**
 * Reads a body as text.
 * @param tooLarge makes the error that is thrown as soon as more than the limit has arrived
 */
export async function readLimited(
  body: AsyncIterable<Buffer>,
  limitBytes: number,
  tooLarge: () => Error,
): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > limitBytes) throw tooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
