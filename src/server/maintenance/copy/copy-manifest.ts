import { z } from 'zod'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import { manifest, type StoredMember } from '#server/maintenance/archive/manifest.ts'

/** The format of a copy; a program refuses a later one. */
export const copyFormat = 1

export const keyName = 'secret.key'

const { madeAt, installation, schema, isEncrypted, tables, files } = manifest.shape
const member: z.ZodType<StoredMember> = files.shape.index.element

/** The numbers that sequences have given last. */
export const sequences = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z_0-9]{1,63}$/),
    value: z.string().regex(/^\d{1,19}$/),
    isCalled: z.boolean(),
  }),
)

const copyManifest = z.strictObject({
  product: z.literal('balcao'),
  kind: z.literal('copy'),
  format: z.number().int().positive(),
  madeAt,
  installation,
  schema,
  isEncrypted,
  isDemo: z.boolean(),
  /** The file with the secret key; null: the key is in SECRET_KEY, or there is none yet. */
  secretKey: z.nullable(member),
  /** By which the key is recognized, and not found out. */
  keyPrint: z.nullable(z.string()),
  sequences,
  tables,
  files,
})

/** What is in a copy of a whole installation. Its lines have another form than those of a backup. */
export type CopyManifest = z.infer<typeof copyManifest>

/** @throws BackupError for one that no version of this product has written, and for one of a later format */
export const readCopyManifest = (text: string): CopyManifest =>
  readKind(text, 'copy', copyManifest, 'Não é uma cópia feita por npm run admin -- copy')

/**
 * Reads the manifest of a kind of copy.
 * @param isNone the words for one of another kind
 * @throws BackupError unless it is one
 */
export function readKind<Manifest>(
  text: string,
  kind: string,
  shape: z.ZodType<Manifest>,
  isNone: string,
): Manifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new BackupError('O manifesto não pode ser lido')
  }
  const form = z
    .object({ product: z.literal('balcao'), kind: z.literal(kind), format: z.number() })
    .safeParse(json)
  if (!form.success) throw new BackupError(isNone)
  if (form.data.format > copyFormat)
    throw new BackupError('A cópia é de uma versão mais nova do Balcão: use essa versão ou uma posterior')
  const read = shape.safeParse(json)
  if (!read.success) throw new BackupError('O manifesto não é válido')
  return read.data
}
