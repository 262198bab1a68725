import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** A file whose bytes are complete and that no name leads to yet. */
export interface Spooled {
  path: string
  sizeBytes: number
  /** The first bytes, from which its type is detected. */
  head: Buffer
  /** SHA-256, hexadecimal. */
  sha256: string
  /** Deletes it, unless it was kept. */
  drop(): Promise<void>
}

/** Where kept files are stored: implemented by a folder and by a bucket. */
export interface FileHolder {
  keep(name: string, spooled: Spooled): Promise<void>
  read(name: string, range: ByteRange | undefined): Promise<Readable | undefined>
  remove(name: string): Promise<void>
}
