import { mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFolderStore, createSoleStore, MemberMissing } from './store.ts'

/** The folders that were synced, which only a power cut would show. */
const synced: string[] = []
vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<{ open: typeof open }>()
  return {
    ...original,
    async open(path: string, ...rest: [string]) {
      const file: FileHandle = await original.open(path, ...rest)
      const sync = file.sync.bind(file)
      file.sync = async () => {
        synced.push(path)
        await sync()
      }
      return file
    },
  }
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
async function* bytes(text: string) {
  yield Buffer.from(text)
}

test('the names of what is written survive a crash once it is settled', async () => {
  const dataDir = newFolder()
  const store = createFolderStore(join(dataDir, 'backups'))
  const [one, two] = ['folder-of-a-backup-1', 'folder-of-a-backup-2']
  await store.write(one, 'files/a', bytes('a'))
  await store.write(two, 'manifest.json', bytes('b'))
  expect(await store.reuse(two, 'files/a', one)).toBe(true)
  synced.length = 0
  await store.settle(two)
  const path = join(dataDir, 'backups', two)
  expect(synced.toSorted()).toEqual([dataDir, join(dataDir, 'backups'), path, join(path, 'files')])

  const sole = join(newFolder(), 'copy')
  const copy = createSoleStore(sole)
  await copy.write('', 'tables/a', bytes('c'))
  synced.length = 0
  await copy.settle('')
  expect(synced.toSorted()).toEqual([join(sole, '..'), sole, join(sole, 'tables')])
})

test('a member that is not there is missing', async () => {
  const store = createFolderStore(newFolder())
  expect(await store.has('folder-of-a-backup-1')).toBe(false)
  await store.write('folder-of-a-backup-1', 'files/a', bytes('a'))
  expect(await store.has('folder-of-a-backup-1')).toBe(true)
  await expect(store.read('folder-of-a-backup-1', 'files/b')).rejects.toThrow(MemberMissing)
  await expect(store.read('folder-of-a-backup-2', 'files/a')).rejects.toThrow(MemberMissing)
})
