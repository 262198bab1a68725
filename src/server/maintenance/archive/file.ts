import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BackupError, PartDamaged } from './backup-error.ts'
import type { BackupCipher } from './cipher.ts'
import { readFileLines } from './file-list.ts'
import { type Manifest, readManifest, type StoredMember } from './manifest.ts'
import type { Progress } from './progress.ts'
import { type BackupStore, layoutName, MemberMissing } from './store.ts'
import { type Member, readTarHeader, padded, endOfTar, tarBytes, tarSize, MemberChanged } from './tar.ts'

// The one file that a backup is when it leaves this installation: a TAR of its manifest, its tables, its
// files, and at the end a checksum of all that is before.

const manifestName = 'manifest.json'
const signatureName = 'manifest.sig'
const checksumName = 'checksum'
const mostManifestBytes = 4 * 1024 * 1024
const checksumBytes = 64

/** What a manifest says of the members; that of a backup, or of a copy of the whole installation. */
export type Contents = Pick<Manifest, 'isEncrypted' | 'tables' | 'files'>

interface Place {
  store: BackupStore
  cipher: BackupCipher | undefined
}

/** Ends a backup: writes its manifest, and the order of its members. */
export async function writeManifest(
  { store, cipher }: Place,
  folder: string,
  manifest: Contents,
): Promise<void> {
  const text = JSON.stringify(manifest)
  await store.write(folder, manifestName, Readable.from([Buffer.from(text)]))
  if (cipher) await store.write(folder, signatureName, Readable.from([Buffer.from(cipher.sign(text))]))
  await store.settle(folder)
}

/**
 * Reads the manifest of a backup in the store.
 * @throws BackupError when there is none, or it is not signed with this BACKUP_KEY
 */
export const openBackup = (place: Place, folder: string): Promise<Manifest> =>
  openContents(place, folder, readManifest)

/** The same for a manifest that `read` reads. */
export async function openContents<Read extends Contents>(
  { store, cipher }: Place,
  folder: string,
  read: (text: string) => Read,
): Promise<Read> {
  const text = await readText(store, folder, manifestName)
  const manifest = read(text)
  if (!manifest.isEncrypted) return manifest
  if (!cipher) throw new BackupError('O backup está cifrado: ponha a sua chave em BACKUP_KEY')
  if (!cipher.isSignedBy(text, await readText(store, folder, signatureName)))
    throw new BackupError('A assinatura do backup não confere com BACKUP_KEY')
  return manifest
}

async function readText(store: BackupStore, folder: string, name: string): Promise<string> {
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

/** What is stored of a member, by the manifest and the list of files; in the order of the file. */
async function listStored(place: Place, folder: string, manifest: Contents): Promise<StoredMember[]> {
  const listed = [...manifest.tables.flatMap(({ members }) => members), ...manifest.files.index]
  const files = new Map<string, StoredMember>()
  const lines = readFileLines(
    { ...place, cipher: manifest.isEncrypted ? place.cipher : undefined },
    folder,
    manifest,
  )
  for await (const { member, storedSize, storedSha256 } of lines)
    if (member !== null) files.set(member, { name: member, size: storedSize, sha256: storedSha256 })
  return [...listed, ...files.values()]
}

/** The members of a backup in the order of its file, without the checksum, and the bytes of each. */
async function openMembers(place: Place, folder: string, manifest: Contents) {
  const { store } = place
  const own = [manifestName, ...(manifest.isEncrypted ? [signatureName] : [])]
  const heads: Member[] = []
  for (const name of own) heads.push({ name, size: Buffer.byteLength(await readText(store, folder, name)) })
  const stored = await listStored(place, folder, manifest)
  const expected = new Map(stored.map(({ name, sha256 }) => [name, sha256]))
  return {
    members: [...heads, ...stored],
    read: async (name: string) => checked(await store.read(folder, name), name, expected.get(name)),
  }
}

/**
 * Reads every byte of a backup and compares it with the manifest.
 * @param onChunk is given the file, but for its checksum and its end
 * @throws BackupError for the first difference
 */
async function readWhole(
  { members, read }: Awaited<ReturnType<typeof openMembers>>,
  progress: Progress,
  onChunk: (chunk: Buffer) => void,
): Promise<void> {
  await progress.begin('check', tarSize(members))
  try {
    for await (const chunk of tarBytes(members, read, { end: tarSize(members) - endOfTar.length })) {
      onChunk(chunk)
      await progress.add(chunk.length)
    }
  } catch (error) {
    if (error instanceof MemberMissing) throw new PartDamaged('Falta uma parte do backup')
    if (error instanceof MemberChanged) throw new PartDamaged('Uma parte do backup mudou de tamanho')
    throw error
  }
}

/** Reads every byte of a backup in the store. @throws BackupError for the first difference */
export async function checkFile(
  place: Place,
  folder: string,
  manifest: Contents,
  progress: Progress,
): Promise<void> {
  await readWhole(await openMembers(place, folder, manifest), progress, () => undefined)
}

/**
 * Reads every byte of a new backup back, and ends the file with the checksum of all of it. Afterwards it can
 * be sent.
 * @returns the size of the file, in bytes
 * @throws BackupError for the first difference
 */
export async function proveFile(
  place: Place,
  folder: string,
  manifest: Manifest,
  progress: Progress,
): Promise<number> {
  const opened = await openMembers(place, folder, manifest)
  const whole = createHash('sha256')
  await readWhole(opened, progress, (chunk) => whole.update(chunk))
  const checksum = Buffer.from(whole.digest('hex'))
  await place.store.write(folder, checksumName, Readable.from([checksum]))
  const all = [...opened.members, { name: checksumName, size: checksum.length }]
  const layout = all.map(({ name, size }) => `${size} ${name}\n`).join('')
  await place.store.write(folder, layoutName, Readable.from([Buffer.from(layout)]))
  await place.store.settle(folder)
  return tarSize(all)
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
 * Takes a file in, member by member, into a new folder of the store. It must be, to the last bit, what one of
 * our programs would have written.
 * @returns its manifest
 * @throws BackupError for anything else; what was taken in stays for the caller to remove
 */
export async function receiveFile(
  place: Place,
  folder: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Manifest> {
  const reader = createReader(bytes)
  const whole = createHash('sha256')
  const received = new Set<string>()
  let before = ''
  for (;;) {
    const block = await reader.take(endOfTar.length / 2)
    const member = readTarHeader(block)
    if (!member) throw new BackupError('O arquivo não é um backup, ou está danificado')
    if (member.name === checksumName) {
      if (member.size !== checksumBytes) throw new BackupError('O arquivo está danificado')
      before = whole.copy().digest('hex')
      const text = (await reader.take(member.size)).toString('latin1')
      if (text !== before) throw new BackupError('O arquivo está danificado: a soma de conferência difere')
      await expectZeros(reader, padded(member.size) - member.size + endOfTar.length)
      await reader.expectEnd()
      break
    }
    if (received.has(member.name))
      throw new BackupError('O arquivo está danificado: tem uma parte duas vezes')
    received.add(member.name)
    whole.update(block)
    await place.store.write(
      folder,
      member.name,
      (async function* () {
        for await (const chunk of reader.stream(member.size)) {
          whole.update(chunk)
          yield chunk
        }
      })(),
    )
    const padding = await expectZeros(reader, padded(member.size) - member.size)
    whole.update(padding)
  }
  return openBackup(place, folder)
}

async function expectZeros(reader: Reader, length: number): Promise<Buffer> {
  const bytes = await reader.take(length)
  if (bytes.some((byte) => byte !== 0)) throw new BackupError('O arquivo está danificado')
  return bytes
}

interface Reader {
  /** Exactly so many bytes. */
  take(length: number): Promise<Buffer>
  stream(length: number): AsyncGenerator<Buffer>
  expectEnd(): Promise<void>
}

function createReader(bytes: AsyncIterable<Uint8Array>): Reader {
  const source = bytes[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  const fill = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await source.next()
      if (next.done) return false
      rest = Buffer.from(next.value)
    }
    return true
  }
  async function* stream(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (!(await fill())) throw new BackupError('O arquivo está cortado')
      const some = rest.subarray(0, left)
      rest = rest.subarray(some.length)
      left -= some.length
      yield some
    }
  }
  return {
    stream,
    async take(length) {
      const chunks: Buffer[] = []
      for await (const chunk of stream(length)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    async expectEnd() {
      if (await fill()) throw new BackupError('Depois do fim do backup há mais bytes')
    },
  }
}
