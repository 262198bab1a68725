/** A file to look through. */
export interface ByteSource {
  /** As it is told to whoever asked; it is looked through, too. */
  name: string
  /** @returns undefined when the file is gone by now */
  read(): Promise<AsyncIterable<Uint8Array> | undefined>
}

/** Longer than anything that is looked for, so that nothing is missed where two pieces meet. */
const overlap = 512

/** Whether a file contains one of the patterns, in its name or its bytes; texts as UTF-8, ignoring case. */
export async function searchBytes(file: ByteSource, patterns: readonly string[]): Promise<boolean> {
  // Byte by byte, so that a piece may begin within a letter.
  const bytewise = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
  const wanted = new RegExp(patterns.map(bytewise).join('|'), 'i')
  if (wanted.test(bytewise(file.name))) return true
  const bytes = await file.read()
  if (!bytes) return false
  let kept = ''
  for await (const piece of bytes) {
    const text = kept + Buffer.from(piece).toString('latin1')
    if (wanted.test(text)) return true
    kept = text.slice(-overlap)
  }
  return false
}
