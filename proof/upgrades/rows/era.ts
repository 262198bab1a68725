/** What the rows are made of. */
export interface Era {
  /** ISO 8601, so many minutes ago. */
  ago(minutes: number): string
  /** Of everybody. */
  passwordHash: string
  /** With the key of the installation. */
  encrypt(plain: string): string
  /** Files of the file store, by what they are of. */
  files: Readonly<Record<FileUse, StoredFile>>
  /** The hash of a session that lives. */
  tokenHash: string
}

export const fileUses = ['message', 'avatar', 'response', 'profile', 'spare', 'erased', 'import'] as const
export type FileUse = (typeof fileUses)[number]

export interface StoredFile {
  name: string
  size: number
  sha256: string
}

/** A row by its columns. Whatever JSON can say; texts of dates and the like are read by PostgreSQL. */
export type Row = Readonly<Record<string, unknown>>

/** Rows of tables. What they leave out is added by a rule (`completed`). */
export type Rows = Readonly<Record<string, readonly Row[]>>

const day = 24 * 60
export const days = (count: number): number => count * day
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
