import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** A complete file of this machine, whose bytes are known. */
export interface Whole {
  path: string
  sizeBytes: number
  /** SHA-256, hexadecimal. */
  sha256: string
  /** Deletes the file, unless it was kept. */
  drop(): Promise<void>
}

/** A complete file that has no name yet. */
export interface Spooled extends Whole {
  /** The beginning of the file, from which its type is detected. */
  head: Buffer
  /** A longer beginning; fewer bytes when the file is shorter. Before it is kept. */
  readStart(bytes: number): Promise<Buffer>
}

/** A file as its place lists it. */
export interface Listed {
  name: string
  sizeBytes: number
  /** By the clock of the place. */
  changedAt: Date
}

/** Names of the file store; whatever else is at a place is not ours. */
export const nameForm = /^[A-Za-z0-9_-]{16,64}$/

/** The storage of kept files: a folder or a bucket. */
export interface FileHolder {
  /** Replaces a file of that name. */
  keep(name: string, whole: Whole): Promise<void>
  read(name: string, range?: ByteRange): Promise<Readable | undefined>
  remove(name: string): Promise<void>
  /** All files, in no order. Those that come or go meanwhile may be listed or not. */
  list(): AsyncGenerator<Listed>
}
