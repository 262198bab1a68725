import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { memberForm } from './tar.ts'

/** The format of the file; a program refuses a later one. */
export const formatVersion = 1

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().int().nonnegative()
const memberName = z.string().regex(memberForm).max(99)

/** A part of the file, as it is stored. */
const member = z.strictObject({ name: memberName, size: count, sha256: hash })
export type StoredMember = z.infer<typeof member>

const table = z.strictObject({
  name: z.string().regex(/^[a-z_]{1,63}$/),
  columns: z
    .array(z.string().regex(/^[a-z_0-9]{1,63}$/))
    .min(1)
    .max(200),
  rows: count,
  /** The sum of `hashtextextended` of the rows, modulo 2 to the 64, in decimal. */
  hash: z.string().regex(/^\d{1,20}$/),
  members: z.array(member),
})
export type TableEntry = z.infer<typeof table>

export const manifest = z.strictObject({
  product: z.literal('balcao'),
  format: z.number().int().positive(),
  madeAt: z.iso.datetime(),
  /** The uid of the installation. */
  installation: z.uuid(),
  /** The newest migration, by its time in milliseconds. */
  schema: count,
  isEncrypted: z.boolean(),
  /** Of the time zone and the like nothing: the settings are in their table. */
  protocolSequence: count,
  tables: z.array(table),
  files: z.strictObject({
    rows: count,
    /** Of all files together, in bytes. */
    bytes: count,
    missing: count,
    damaged: count,
    /** Lists the files, a line each: `fileLine`. */
    index: z.array(member),
  }),
})
export type Manifest = z.infer<typeof manifest>

/** A file of the file store. Files with the same bytes share a member. */
export const fileLine = z.strictObject({
  /** In the file store. */
  name: z.string().regex(/^[A-Za-z0-9_-]{16,64}$/),
  /** null: it was gone when it was copied. */
  member: z.nullable(memberName),
  /** Of its bytes. */
  size: count,
  sha256: hash,
  /** Of the member. */
  storedSize: count,
  storedSha256: hash,
})
export type FileLine = z.infer<typeof fileLine>

/** @throws BackupError for one that no version of ours has written, and for one of a later format */
export function readManifest(text: string): Manifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new BackupError('O manifesto não pode ser lido')
  }
  const format = z.object({ product: z.literal('balcao'), format: z.number() }).safeParse(json)
  if (!format.success) throw new BackupError('Não é um backup do Balcão')
  if (format.data.format > formatVersion)
    throw new BackupError('O backup é de uma versão mais nova do Balcão: atualize antes de restaurar')
  const read = manifest.safeParse(json)
  if (!read.success) throw new BackupError('O manifesto não é válido')
  return read.data
}
