import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Archive, Place } from '#server/maintenance/archive/archive.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { CopyManifest } from '#server/maintenance/archive/manifest.ts'
import { openSecrets } from '#server/platform/secrets.ts'

export const keyName = 'secret.key'

/** The key by which an installation encrypts what it stores. */
export interface SecretKey {
  /** Of the environment; it comes before the file. */
  given: string | undefined
  dataDir: string
}

/** By which a key is recognized. The same for the same key, in all installations. */
export const printOf = (key: string): string => openSecrets(key, '').fingerprint('copy of an installation')

const pathOf = ({ dataDir }: Pick<SecretKey, 'dataDir'>) => join(dataDir, keyName)

/** The key in the data folder; undefined when there is none. */
export async function readStoredKey(key: Pick<SecretKey, 'dataDir'>): Promise<string | undefined> {
  try {
    return (await readFile(pathOf(key), 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the key of the data folder into a copy, unless the environment has it. */
export async function copyKey(
  { store, folder, cipher }: Place,
  key: SecretKey,
): Promise<Pick<CopyManifest, 'secretKey' | 'keyPrint'>> {
  const stored = await readStoredKey(key)
  const used = key.given ?? stored
  const keyPrint = used === undefined ? null : printOf(used)
  if (key.given !== undefined || stored === undefined) return { secretKey: null, keyPrint }
  const bytes = Readable.from([Buffer.from(stored)])
  const written = await store.write(folder, keyName, cipher ? await cipher.encrypt(bytes) : bytes)
  return { secretKey: { name: keyName, ...written }, keyPrint }
}

/** The key of a copy; undefined when it has none. @throws BackupError when its bytes were changed */
export async function readCopiedKey({
  store,
  folder,
  cipher,
  manifest: { secretKey, keyPrint },
}: Archive<CopyManifest>): Promise<string | undefined> {
  if (!secretKey) return undefined
  const damaged = () => new BackupError(`Uma parte da cópia mudou: ${keyName}`)
  const sealed = await readAll(await store.read(folder, keyName))
  if (createHash('sha256').update(sealed).digest('hex') !== secretKey.sha256) throw damaged()
  const plain = cipher ? await readAll(await cipher.decrypt(Readable.from([sealed]))) : sealed
  const key = plain.toString('utf8')
  if (keyPrint !== printOf(key)) throw damaged()
  return key
}

/** Writes the key into a data folder that has none, so that it survives a crash. */
export async function writeKey(key: string, dataDir: string): Promise<void> {
  const file = await open(pathOf({ dataDir }), 'wx', 0o600)
  try {
    await file.writeFile(key)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
