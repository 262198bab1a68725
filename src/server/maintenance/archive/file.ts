import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Archive, checkMembers, openArchive, openMembers, type Place, type Trust } from './archive.ts'
import { BackupError } from './backup-error.ts'
import type { Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'
import { layoutName } from './store.ts'
import { endOfTar, padded, readTarHeader, tarSize } from './tar.ts'

// The one file that a backup is when it leaves this installation: a TAR of its manifest, its tables, its
// files, and at the end a checksum of all that is before.

const checksumName = 'checksum'
const checksumBytes = 64

/**
 * Reads every byte of a new backup back, and ends the file with the checksum of all of it. Afterwards it can
 * be sent.
 * @returns the size of the file, in bytes
 * @throws BackupError for the first difference
 */
export async function proveFile(archive: Archive, progress: Progress): Promise<number> {
  const { store, folder } = archive
  const opened = await openMembers(archive)
  const whole = createHash('sha256')
  await checkMembers(opened, progress, (chunk) => whole.update(chunk))
  const checksum = Buffer.from(whole.digest('hex'))
  await store.write(folder, checksumName, Readable.from([checksum]))
  const all = [...opened.members, { name: checksumName, size: checksum.length }]
  const layout = all.map(({ name, size }) => `${size} ${name}\n`).join('')
  await store.write(folder, layoutName, Readable.from([Buffer.from(layout)]))
  await store.settle(folder)
  return tarSize(all)
}

/**
 * Takes a file in, member by member, into a new folder of the store. It must be, to the last bit, what one of
 * our programs would have written.
 * @throws BackupError for anything else; what was taken in stays for the caller to remove
 */
export async function receiveFile(
  place: Place,
  bytes: AsyncIterable<Uint8Array>,
  trust?: Trust,
): Promise<Archive<Manifest>> {
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
      place.folder,
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
  return { ...(await openArchive(place, 'backup', trust)), received: received.size }
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
