import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FileLine, Manifest } from '#server/maintenance/archive/manifest.ts'
import { noProgress } from '#server/maintenance/archive/progress.ts'
import { type BackupStore, createFolderStore } from '#server/maintenance/archive/store.ts'
import { readConfig } from '#server/platform/config.ts'
import { createFileStore, type FileStore, newFileName } from '#server/platform/file-store.ts'
import { type Archive, readFileLines } from './archive.ts'
import { copyFiles, type FileToCopy } from './copy-files.ts'

let dataDir: string
let files: FileStore
let store: BackupStore
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-copy-files-'))
  files = await createFileStore(readConfig({ DATA_DIR: dataDir }, false))
  store = createFolderStore(join(dataDir, 'backups'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const content = 'os mesmos bytes'
const hashOf = (bytes: string) => createHash('sha256').update(bytes).digest('hex')

async function keep(state: 'whole' | 'damaged' | 'gone', bytes = content): Promise<FileToCopy> {
  const name = newFileName()
  const spooled = await files.spool(
    (async function* () {
      yield Buffer.from(bytes)
    })(),
    1000,
  )
  await files.keep(name, spooled)
  if (state === 'damaged') writeFileSync(join(dataDir, 'uploads', name.slice(0, 2), name), `outros ${name}`)
  if (state === 'gone') await files.remove(name)
  return { name, size: bytes.length, sha256: hashOf(bytes) }
}

/** Copies the files into a backup. @returns also the bytes that it has of each, in their order */
async function copy(folder: string, wanted: FileToCopy[], earlier?: Archive<Manifest>) {
  const place = { store, folder, cipher: undefined }
  const copied = await copyFiles(files, place, wanted, earlier, noProgress)
  const lines = new Map<string, FileLine>()
  const archive = { ...place, manifest: { files: copied.files } as Manifest }
  for await (const line of readFileLines(archive)) lines.set(line.name, line)
  const texts: (string | null)[] = []
  for (const { name } of wanted) {
    const line = lines.get(name)
    let text: string | null = null
    if (line?.member) {
      text = ''
      for await (const chunk of await store.read(folder, line.member)) text += String(chunk)
      expect([line.sha256, line.size]).toEqual([hashOf(text), text.length])
    }
    texts.push(text === null || text === content ? text : 'outros')
  }
  return { ...copied, texts, earlier: archive }
}

test.each([
  [['damaged', 'whole'], ['outros', content], { missing: 0, damaged: 1 }],
  [['whole', 'damaged'], [content, content], { missing: 0, damaged: 0 }],
  [['gone', 'whole', 'whole'], [null, content, content], { missing: 1, damaged: 0 }],
  [['damaged', 'damaged', 'whole'], ['outros', 'outros', content], { missing: 0, damaged: 2 }],
  [['gone', 'damaged', 'gone'], [null, 'outros', null], { missing: 2, damaged: 1 }],
] as const)('of files with one hash that are %j the backup has %j', async (states, texts, counts) => {
  const wanted: FileToCopy[] = []
  for (const state of states) wanted.push(await keep(state))
  const copied = await copy('folder-of-a-backup', wanted)
  expect(copied.texts).toEqual(texts)
  expect(copied.files).toMatchObject({ rows: states.length, ...counts })
})

test('what an earlier backup has is taken once, whatever became of the files', async () => {
  const first = await copy('folder-of-a-backup', [await keep('damaged'), await keep('whole')])
  // The bytes of that one lie beside those of the hash.
  const second = await copy('folder-of-the-second', [await keep('whole'), await keep('gone')], first.earlier)
  expect([second.reused, second.texts]).toEqual([0, [content, content]])
  const third = await copy('folder-of-the-third', [await keep('gone'), await keep('gone')], second.earlier)
  expect([third.reused, third.texts]).toEqual([1, [content, content]])
})
