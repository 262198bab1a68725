import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** A complete file that has no name yet. */
export interface Spooled {
  path: string
  sizeBytes: number
  /** The beginning of the file, from which its type is detected. */
  head: Buffer
  /** A longer beginning; fewer bytes when the file is shorter. Before it is kept. */
  readStart(bytes: number): Promise<Buffer>
  /** SHA-256, hexadecimal. */
  sha256: string
  /** Deletes the file, unless it was kept. */
  drop(): Promise<void>
}

/** The storage of kept files: a folder or a bucket. */
export interface FileHolder {
  keep(name: string, spooled: Spooled): Promise<void>
  read(name: string, range: ByteRange | undefined): Promise<Readable | undefined>
  remove(name: string): Promise<void>
}
