import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BackupError, PartDamaged } from './backup-error.ts'
import { type BackupCipher, unseal } from './cipher.ts'
import {
  type Contents,
  fileLine,
  type FileLine,
  type Kind,
  type ManifestOf,
  readManifest,
  type StoredMember,
  type TableEntry,
} from './manifest.ts'
import type { Progress } from './progress.ts'
import { type BackupStore, createSoleStore, MemberMissing } from './store.ts'
import { endOfTar, type Member, MemberChanged, tarBytes, tarSize } from './tar.ts'

// An archive is the database in a folder: a manifest, the rows of tables, and beside them files. Backups,
// copies of the whole installation, and copies from before upgrades are its kinds.

/** Where an archive is, or is made. */
export interface Place {
  store: BackupStore
  /** Of the store. */
  folder: string
  /** Without one nothing is encrypted. */
  cipher: BackupCipher | undefined
}

/** The cipher only if the archive is encrypted. */
export interface Archive<M extends Contents = Contents> extends Place {
  manifest: M
  /** How many members came with it, of one that was just taken in. */
  received?: number
}

/** A folder of any name that has one archive, and nothing else. */
export const placeAt = (path: string, cipher: BackupCipher | undefined): Place => ({
  store: createSoleStore(path),
  folder: '',
  cipher,
})

const unsignedText =
  'Falta a assinatura de BACKUP_KEY: outros podem ter feito ou mudado o que há nele. Se confia, aceite sem ' +
  'assinatura (nos comandos, com --unsigned)'

export const listDiffersText = 'A lista de arquivos do backup não confere'

export const indexName = 'files/index.jsonl.zst'
const manifestName = 'manifest.json'
const signatureName = 'manifest.sig'
const mostManifestBytes = 4 * 1024 * 1024

/** The member that has the bytes of this hash. */
export const memberOf = (sha256: string, cipher: BackupCipher | undefined): string =>
  `files/${cipher ? cipher.nameOf(sha256) : sha256}`

/** Ends an archive: writes its manifest, and the order of its members. */
export async function writeManifest({ store, folder, cipher }: Place, manifest: Contents): Promise<void> {
  const text = JSON.stringify(manifest)
  const write = (name: string, content: string) =>
    store.write(folder, name, Readable.from([Buffer.from(content)]))
  await write(manifestName, text)
  if (cipher) await write(signatureName, cipher.sign(text))
  await store.settle(folder)
}

/** Whether an archive is accepted that nobody has signed, where those of this installation are signed. */
export interface Trust {
  /** An administrator has said so of this one. */
  acceptUnsigned?: boolean | undefined
}

/**
 * @throws BackupError when there is none of the kind, or it is not signed with this BACKUP_KEY. Whoever can
 *   write where archives are kept could otherwise put one of their own there.
 */
export async function openArchive<K extends Kind>(
  place: Place,
  kind: K,
  { acceptUnsigned = false }: Trust = {},
): Promise<Archive<ManifestOf<K>>> {
  const text = await readText(place, manifestName)
  const manifest = readManifest(kind, text)
  if (!manifest.isEncrypted) {
    // A copy from before an upgrade is where the program itself has put it, maybe before there was a key.
    if (place.cipher && kind !== 'upgrade' && !acceptUnsigned) throw new BackupError(unsignedText)
    return { ...place, cipher: undefined, manifest }
  }
  if (!place.cipher) throw new BackupError('O backup está cifrado: ponha a sua chave em BACKUP_KEY')
  if (!place.cipher.isSignedBy(text, await readText(place, signatureName)))
    throw new BackupError('A assinatura do backup não confere com BACKUP_KEY')
  return { ...place, manifest }
}

async function readText({ store, folder }: Place, name: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of (await store.read(folder, name)) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > mostManifestBytes) throw new BackupError('O manifesto é grande demais')
      chunks.push(chunk)
    }
  } catch (error) {
    if (!(error instanceof MemberMissing)) throw error
    throw new BackupError(
      (await store.has(folder))
        ? `Falta uma parte do backup: ${name}`
        : 'Os arquivos deste backup não estão mais onde ele foi guardado',
    )
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Characters of a row. A backup comes from anywhere, and has no row of more than a few hundred kilobytes; the
 * other kinds are read where they were written, and have webhooks, whose bodies may be of 96 MiB.
 */
const longestRow = { backup: 16 * 1024 ** 2, other: 400 * 1024 ** 2 }

/** The lines of members, some at a time. */
async function* readMembers(
  { store, folder, cipher, manifest }: Archive,
  members: readonly StoredMember[],
): AsyncGenerator<readonly string[]> {
  const longest = 'kind' in manifest ? longestRow.other : longestRow.backup
  for (const { name } of members) yield* unseal(await store.read(folder, name), cipher, longest)
}

/** The lines of a table, some at a time. */
export const readLines = (archive: Archive, { members }: Pick<TableEntry, 'members'>) =>
  readMembers(archive, members)

/** The files that an archive lists. */
export async function* readFileLines(archive: Archive): AsyncGenerator<FileLine> {
  for await (const lines of readMembers(archive, archive.manifest.files.index))
    for (const line of lines) yield fileLine.parse(JSON.parse(line))
}

export const countRows = ({ tables }: Pick<Contents, 'tables'>): number =>
  tables.reduce((sum, table) => sum + table.rows, 0)

/** The members of an archive in the order of its file, and the bytes of each. */
export interface Members {
  members: Member[]
  read(name: string): Promise<Readable>
}

/**
 * A small list may unpack to more than memory has room for.
 * @throws BackupError when it has more than there can be
 */
export async function openMembers(archive: Archive): Promise<Members> {
  const { store, folder, manifest, received = Infinity } = archive
  const own = [manifestName, ...(manifest.isEncrypted ? [signatureName] : [])]
  const heads: Member[] = []
  for (const name of own) heads.push({ name, size: Buffer.byteLength(await readText(archive, name)) })
  const stored = [...manifest.tables.flatMap(({ members }) => members), ...manifest.files.index]
  const files = new Map<string, StoredMember>()
  let lines = 0
  for await (const { member, storedSize, storedSha256 } of readFileLines(archive)) {
    if (member !== null) files.set(member, { name: member, size: storedSize, sha256: storedSha256 })
    if (++lines > manifest.files.rows || files.size > received) throw new BackupError(listDiffersText)
  }
  stored.push(...files.values())
  const expected = new Map(stored.map(({ name, sha256 }) => [name, sha256]))
  return {
    members: [...heads, ...stored],
    read: async (name) => checked(await store.read(folder, name), name, expected.get(name)),
  }
}

/** The bytes of a member. They fail at the end when they are not those of the hash. */
function checked(stream: Readable, name: string, sha256: string | undefined): Readable {
  if (sha256 === undefined) return stream
  const hash = createHash('sha256')
  return Readable.from(
    (async function* () {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        hash.update(chunk)
        yield chunk
      }
      if (hash.digest('hex') !== sha256) throw new PartDamaged(`Uma parte do backup mudou: ${name}`)
    })(),
    { objectMode: false },
  )
}

/**
 * Reads every byte of an archive and compares it with the manifest.
 * @param onChunk is given the file that it would be, but for its checksum and its end
 * @throws BackupError for the first difference
 */
export async function checkMembers(
  { members, read }: Members,
  progress: Progress,
  onChunk?: (chunk: Buffer) => void,
): Promise<void> {
  await progress.begin('check', tarSize(members))
  try {
    for await (const chunk of tarBytes(members, read, {
      end: tarSize(members) - endOfTar.length,
    })) {
      onChunk?.(chunk)
      await progress.add(chunk.length)
    }
  } catch (error) {
    if (error instanceof MemberMissing) throw new PartDamaged('Falta uma parte do backup')
    if (error instanceof MemberChanged) throw new PartDamaged('Uma parte do backup mudou de tamanho')
    throw error
  }
}

/** Reads every byte of an archive. @throws BackupError for the first difference from its manifest */
export const checkArchive = async (archive: Archive, progress: Progress): Promise<void> =>
  checkMembers(await openMembers(archive), progress)
