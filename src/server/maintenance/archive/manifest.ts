import { z } from 'zod'
import { knowsSchema, schemaVersion } from '#server/platform/database/migrate.ts'
import { BackupError } from './backup-error.ts'
import { memberForm } from './tar.ts'

/** The format of all archives; a program refuses a later one. */
export const formatVersion = 1

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().int().nonnegative()
const memberName = z.string().regex(memberForm).max(99)

/** A part of an archive, as it is stored. */
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

/** What every kind of archive says of itself. */
const common = {
  product: z.literal('balcao'),
  format: z.number().int().positive(),
  madeAt: z.iso.datetime(),
  /** The uid of the installation. */
  installation: z.uuid(),
  /** The newest migration, by its time in milliseconds. */
  schema: count,
  isEncrypted: z.boolean(),
  tables: z.array(table),
  files: z.strictObject({
    rows: count,
    /** Of all files together, in bytes. */
    bytes: count,
    missing: count,
    damaged: count,
    /** Lists the files, a line each: `fileLine`. Without files there is none. */
    index: z.array(member),
  }),
}

/** The numbers that sequences have given last. */
const sequences = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z_0-9]{1,63}$/),
    value: z.string().regex(/^\d{1,19}$/),
    isCalled: z.boolean(),
  }),
)

/** A backup, which was the only kind at first, does not name its own. */
const shapes = {
  /** Of the time zone and the like nothing: the settings are in their table. */
  backup: z.strictObject({ ...common, protocolSequence: count }),
  copy: z.strictObject({
    ...common,
    kind: z.literal('copy'),
    isDemo: z.boolean(),
    /** The file with the secret key; null: the key is in SECRET_KEY, or there is none yet. */
    secretKey: z.nullable(member),
    /** By which the key is recognized, and not found out. */
    keyPrint: z.nullable(z.string()),
    sequences,
  }),
  upgrade: z.strictObject({ ...common, kind: z.literal('upgrade'), sequences }),
}

/** What an archive is for: to be merged into an installation, to become one, or to undo an upgrade. */
export type Kind = keyof typeof shapes
export type ManifestOf<K extends Kind> = z.infer<(typeof shapes)[K]>
/** What the manifests of all kinds say. */
export type Contents = Pick<ManifestOf<'backup'>, keyof typeof common>
export type Manifest = ManifestOf<'backup'>
export type CopyManifest = ManifestOf<'copy'>

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

const copyIsNewer = 'A cópia é de uma versão mais nova do Balcão: use essa versão ou uma posterior'
const texts: Record<Kind, { isOther: string; isNewer: string; isUnknown: string }> = {
  backup: {
    isOther: 'Não é um backup do Balcão',
    isNewer: 'O backup é de uma versão mais nova do Balcão: atualize antes de restaurar',
    isUnknown: 'O backup é de uma versão do Balcão que esta não conhece',
  },
  copy: {
    isOther: 'Não é uma cópia feita por npm run admin -- copy',
    isNewer: copyIsNewer,
    isUnknown: 'A cópia é de uma versão do Balcão que esta não conhece',
  },
  upgrade: {
    isOther: 'Não é uma cópia de antes de uma atualização',
    isNewer: copyIsNewer,
    isUnknown: 'A cópia é de uma versão do Balcão que esta não conhece',
  },
}

/** @throws BackupError for one that no version of ours has written, for another kind, and a later format */
export function readManifest<K extends Kind>(kind: K, text: string): ManifestOf<K> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new BackupError('O manifesto não pode ser lido')
  }
  const form = z
    .object({ product: common.product, kind: z.string().default('backup'), format: z.number() })
    .safeParse(json)
  if (form.data?.kind !== kind) throw new BackupError(texts[kind].isOther)
  if (form.data.format > formatVersion) throw new BackupError(texts[kind].isNewer)
  const read = shapes[kind].safeParse(json)
  if (!read.success) throw new BackupError('O manifesto não é válido')
  return read.data as ManifestOf<K>
}

const kindOf = (manifest: Contents): Kind => ('kind' in manifest ? (manifest.kind as Kind) : 'backup')

/** @throws BackupError when this program does not know the version of the tables */
export function refuseUnknownVersion(manifest: Contents): void {
  if (knowsSchema(manifest.schema)) return
  const { isNewer, isUnknown } = texts[kindOf(manifest)]
  throw new BackupError(manifest.schema > schemaVersion ? isNewer : isUnknown)
}
