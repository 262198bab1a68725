import { z } from 'zod'
import { manifest } from '#server/maintenance/archive/manifest.ts'
import { readKind, sequences } from '#server/maintenance/copy/copy-manifest.ts'

const { madeAt, installation, schema, isEncrypted, tables, files } = manifest.shape

const upgradeManifest = z.strictObject({
  product: z.literal('balcao'),
  kind: z.literal('upgrade'),
  format: z.number().int().positive(),
  madeAt,
  /** null: of a version in which installations had no name. */
  installation: z.nullable(installation),
  schema,
  isEncrypted,
  sequences,
  tables,
  /** None: they stay where they are. */
  files,
})

/** What is in a copy from before an upgrade: all rows, and no file. */
export type UpgradeManifest = z.infer<typeof upgradeManifest>

export const noFiles: UpgradeManifest['files'] = { rows: 0, bytes: 0, missing: 0, damaged: 0, index: [] }

/** @throws BackupError for one that no version of this product has written, and for one of a later format */
export const readUpgradeManifest = (text: string): UpgradeManifest =>
  readKind(text, 'upgrade', upgradeManifest, 'Não é uma cópia de antes de uma atualização')
