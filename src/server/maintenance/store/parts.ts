const firstBytes = 64 * 1024

/**
 * Joins chunks to parts of exactly so many bytes; the last one may have fewer. The memory of a part is used
 * again for the next: it is valid until that is asked for.
 */
export async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Buffer<ArrayBuffer>> {
  let part = Buffer.allocUnsafeSlow(Math.min(firstBytes, partBytes))
  let length = 0
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      if (length === part.length && length < partBytes) part = enlarged(part, partBytes)
      const some = chunk.subarray(at, at + part.length - length)
      part.set(some, length)
      length += some.length
      at += some.length
      if (length === partBytes) {
        yield part
        length = 0
      }
    }
  if (length > 0) yield part.subarray(0, length)
}

/** Most members are small and need no whole part. */
function enlarged(part: Buffer<ArrayBuffer>, most: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.min(most, 4 * part.length))
  larger.set(part)
  return larger
}
