import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import { receiveFile } from '#server/maintenance/archive/file.ts'
import { createFolderStore } from '#server/maintenance/archive/store.ts'
import type { Random } from '#simulator/random.ts'

/** What became of damaged copies of a file. */
export interface Damaged {
  checked: number
  /** Those that were taken for a backup, and those that were refused without words. */
  faults: string[]
}

/** Takes in a file that was cut at many places, and others of which one bit is another. */
export async function takeInDamaged(
  file: Buffer,
  { cuts, flips, random }: { cuts: number; flips: number; random: Random },
): Promise<Damaged> {
  const root = mkdtempSync(join(tmpdir(), 'balcao-damage-'))
  const store = createFolderStore(root)
  const faults: string[] = []
  async function refused(what: string, bytes: Buffer): Promise<void> {
    const folder = 'folder-of-a-damaged-file'
    try {
      await receiveFile({ store, folder, cipher: undefined }, pieces(bytes))
      faults.push(`accepted: ${what}`)
    } catch (error) {
      if (!(error instanceof BackupError)) faults.push(`${what}: ${String(error)}`)
    }
    await store.remove(folder)
  }
  const place = (length: number) => Math.floor(random() * length)
  for (let n = 0; n < cuts; n++) {
    const length = n === 0 ? file.length - 1 : place(file.length)
    await refused(`cut after ${length} bytes`, file.subarray(0, length))
  }
  for (let n = 0; n < flips; n++) {
    const [at, bit] = [place(file.length), place(8)]
    const flipped = Buffer.from(file)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at)
    await refused(`bit ${bit} of byte ${at}`, flipped)
  }
  // The whole one is taken, or the others prove nothing.
  const whole = { store, folder: 'folder-of-the-whole-file', cipher: undefined }
  await receiveFile(whole, pieces(file))
  if (readdirSync(join(root, whole.folder)).length < 3) faults.push('the whole file is not there')
  rmSync(root, { recursive: true, force: true })
  return { checked: cuts + flips, faults }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
