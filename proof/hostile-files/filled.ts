export const megabyte = 1024 * 1024

/** A beginning, and a piece that is repeated up to some megabytes. */
export function filled(before: string, piece: string, megabytes: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(megabytes * megabyte, piece)
  Buffer.from(before).copy(bytes)
  return bytes
}
