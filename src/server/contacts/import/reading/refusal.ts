import type { unreadableFile } from '#shared/text/contacts/unreadable-file.ts'

/** Why a file cannot be read, as the reading process tells the program: a name of `unreadableFile`. */
export type Reason = {
  [Name in keyof typeof unreadableFile]: (typeof unreadableFile)[Name] extends (given: infer Given) => string
    ? { name: Name; given: Given }
    : { name: Name }
}[keyof typeof unreadableFile]

/** Thrown while a file is read, for a file that is not what it should be. */
export class Unreadable extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason.name)
    this.reason = reason
  }
}
