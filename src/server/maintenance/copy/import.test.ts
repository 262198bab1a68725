import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBackupCipher, seal } from '#server/maintenance/archive/cipher.ts'
import { indexName, readFileLines, writeManifest } from '#server/maintenance/archive/archive.ts'
import { receiveFile } from '#server/maintenance/archive/file.ts'
import type { FileLine, Manifest } from '#server/maintenance/archive/manifest.ts'
import { noProgress } from '#server/maintenance/archive/progress.ts'
import { openClient } from '#server/maintenance/archive/scratch.ts'
import { createFolderStore } from '#server/maintenance/archive/store.ts'
import { padded, tarHeader } from '#server/maintenance/archive/tar.ts'
import { listBackupViews, newFolder } from '#server/maintenance/backup/backups.ts'
import { databaseDiskOf } from '#server/platform/file-store/disk-room.ts'
import { makeFirstArchive, rewriteManifest } from '#server/testing/database/archives.ts'
import { spread, testAtNight } from '#server/testing/nightly.ts'
import { download, folderOf, makeBackup, writePast } from '#server/testing/past.ts'
import { forAllTests, testApp, type TestApp } from '#server/testing/test-app.ts'
import { compareBackup } from './compare.ts'
import { importBackup } from './import.ts'

const backupKey = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'

const folder = mkdtempSync(join(tmpdir(), 'balcao-import-'))
/** A downloaded backup. */
let whole: Buffer

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
beforeAll(async () => {
  await writePast(t, admin.userId, 3)
  whole = await download(t, admin, await makeBackup(admin))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = async (id: number) => join(t.config.dataDir, 'backups', await folderOf(t, { id }))

const partsOf = (app: TestApp, key?: string) => ({
  database: app.database,
  files: app.app.files,
  store: createFolderStore(join(app.config.dataDir, 'backups')),
  cipher: key === undefined ? undefined : createBackupCipher(key),
  databaseDisk: databaseDiskOf(app.config),
})

function write(bytes: Uint8Array, name = 'Backup_26-11-2026_23-00.tar'): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const importBytes = (bytes: Uint8Array, key?: string, trust?: { acceptUnsigned: boolean }) =>
  importBackup(partsOf(t, key), write(bytes), noProgress, trust)

describe('a downloaded backup', () => {
  test('a downloaded backup is imported, listed and restored like any other', async () => {
    const made = await importBytes(whole)
    expect(made).toEqual({
      id: made.id,
      name: 'Backup_26-11-2026_23-00',
      conversations: 3,
      messages: 12,
      files: 3,
    })
    const [listed] = (await listBackupViews(t.database, t.config)).filter(({ id }) => id === made.id)
    expect(listed).toMatchObject({
      status: 'completed',
      isImported: true,
      isEncrypted: false,
      createdBy: null,
      size: whole.length,
      conversationsCount: 3,
      messagesCount: 12,
      mediaFilesCount: 3,
      proof: { files: 3, missingFiles: 0, damagedFiles: 0 },
    })
    // It is as old as the backup, not as its way here.
    const [first] = (await listBackupViews(t.database, t.config)).filter(({ isImported }) => !isImported)
    expect(Math.abs(Date.parse(listed?.createdAt ?? '') - Date.parse(first?.createdAt ?? ''))).toBeLessThan(
      10_000,
    )
    expect((await download(t, admin, made)).equals(whole)).toBe(true)
    expect(
      await t.sql`select origin, details from audit_logs where action = 'maintenance.import'
                   and resource_id = ${String(made.id)}`,
    ).toEqual([{ origin: 'command', details: { name: made.name } }])
    const { status } = await admin.request('POST', `/api/maintenance/restore/${made.id}/preview`, {
      restoreComplete: true,
      restoreSettings: true,
    })
    expect(status).toBe(201)
  })

  test('a downloaded backup of another installation is imported too', async () => {
    const other = await testApp()
    const path = write(whole, `${'ã'.repeat(120)}.tar`)
    const made = await importBackup(partsOf(other), path, noProgress)
    expect(made.name).toBe('ã'.repeat(100))
    await other.close()
  })

  testAtNight(
    'a downloaded backup that is in the store comes in by its folder, into a database that does not know it',
    async () => {
      const [row] = await t.sql<{ folder: string }>`
        select file_path as folder from maintenance_backups order by id limit 1`
      const folder = row?.folder ?? ''
      const { store } = partsOf(t)
      const other = await testApp()
      const made = await importBackup({ ...partsOf(other), store }, folder, noProgress)
      expect(made).toMatchObject({ name: 'Backup recuperado', conversations: 3, files: 3 })
      expect(await store.list()).toContain(folder)
      await store.remove(await folderOf(other, made))
      await other.close()
    },
  )

  testAtNight('a downloaded backup is imported despite leftovers of a killed import', async () => {
    const { store } = partsOf(t)
    // What another database has put into the store is not known here.
    const [ours, others] = [await newFolder(t.database), 'a'.repeat(24)]
    for (const folder of [ours, others])
      await store.write(folder, 'manifest.json', Readable.from([Buffer.from('{}')]))
    await importBytes(whole)
    expect(await store.list()).toContain(others)
    expect(await store.list()).not.toContain(ours)
  })

  testAtNight('a downloaded backup waits for its turn behind a backup that is being made', async () => {
    const busy = await openClient(t.database)
    let isOver = false
    const importing = importBytes(whole).finally(() => (isOver = true))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(isOver).toBe(false)
    await busy.end()
    expect((await importing).messages).toBe(12)
  })
})

describe('of anything else nothing is left: a file', () => {
  let before: { folders: string[]; backups: number }
  const state = async () => ({
    folders: (await partsOf(t).store.list()).toSorted(),
    backups: (await listBackupViews(t.database, t.config)).length,
  })
  beforeEach(async () => {
    before = await state()
  })
  const expectRefused = async (bytes: Uint8Array, words: RegExp | string) => {
    await expect(importBytes(bytes)).rejects.toMatchObject({
      name: 'BackupError',
      message: expect.stringMatching(words),
    })
    expect(await state()).toEqual(before)
    expect(await t.sql`select from pg_namespace where nspname like 'balcao\\_scratch%'`).toEqual([])
  }

  test.each([
    ['in the middle', () => whole.subarray(0, whole.length >> 1)],
    ['after its first block', () => whole.subarray(0, 512)],
    ['by a byte', () => whole.subarray(0, -1)],
    ['by the empty blocks at its end', () => whole.subarray(0, -1024)],
    ['to nothing', () => Buffer.alloc(0)],
  ])('a backup file that is cut %s is refused', async (_where, bytes) => {
    await expectRefused(bytes(), 'cortado')
  })

  test.each([
    ['one', () => Buffer.concat([whole, Buffer.alloc(1)])],
    ['an empty block', () => Buffer.concat([whole, Buffer.alloc(512)])],
    ['itself', () => Buffer.concat([whole, whole])],
  ])('with bytes after its end: %s', async (_what, bytes) => {
    await expectRefused(bytes(), 'Depois do fim')
  })

  test.each(
    spread(
      Array.from({ length: 64 }, (_, n) => n),
      16,
    ),
  )('with one bit flipped, place %i', async (n) => {
    const bytes = Buffer.from(whole)
    const hash = createHash('sha256').update(`${n}`).digest()
    // In the first places the headers and the manifest, then anywhere.
    const at = hash.readUInt32BE() % (n < 8 ? 2048 : bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << ((hash[4] ?? 0) % 8))
    await expectRefused(bytes, /danificado|cortado|mudou|manifesto|parte|backup/i)
  })

  test.each([
    ['a text', () => Buffer.from('nada disso'.repeat(1000))],
    ['empty blocks', () => Buffer.alloc(10_240)],
    [
      'a TAR of somebody else',
      () => Buffer.concat([tarHeader({ name: 'etc/passwd', size: 0 }), Buffer.alloc(1024)]),
    ],
  ])('a backup file that is %s is refused', async (_what, bytes) => {
    await expectRefused(bytes(), 'não é um backup|danificado|cortado')
  })

  test.each([
    ['leads out of the folder', '../../etc/cron'],
    ['is not in the manifest', 'files/alheio'],
    ['is there twice', 'manifest.json'],
    ['has the name of what is kept beside', 'layout'],
  ])('whose member %s, with a checksum that is right', async (_what, name) => {
    await expectRefused(withMember(whole, name), /parte|danificado|não é um backup/)
  })

  test.each([
    [
      'says of a file that it is another one',
      (lines: FileLine[]) => lines.map((line, n) => (n > 0 ? line : { ...line, sha256: '0'.repeat(64) })),
    ],
    ['lacks a file', (lines: FileLine[]) => lines.slice(1)],
    ['has a file twice', (lines: FileLine[]) => [...lines, ...lines.slice(0, 1)]],
  ])('whose list %s, with checksums that are right', async (_what, change) => {
    await expectRefused(await withList(change), 'A lista de arquivos do backup não confere')
  })

  test('whose list has more files than came with it, which are not kept in memory', async () => {
    const {
      lines: [listed],
    } = await receiveWhole()
    // A few hundred kilobytes of the file: a few megabytes would list more than the memory has room for.
    const many = Array.from({ length: 100_000 }, (_, n) => ({
      ...(listed as FileLine),
      name: `nao-esta-no-arquivo-${n}`,
      member: `files/${n}`,
    }))
    const bytes = await withList(() => many, many.length)
    expect(bytes.length).toBeLessThan(whole.length + 2_000_000)
    await expectRefused(bytes, 'A lista de arquivos do backup não confere')
  })

  test('a backup file that does not exist is refused', async () => {
    const missing = importBackup(partsOf(t), join(folder, 'nenhum.tar'), noProgress)
    await expect(missing).rejects.toMatchObject({ name: 'BackupError' })
    await expect(importBackup(partsOf(t), folder, noProgress)).rejects.toMatchObject({ name: 'BackupError' })
    expect(await state()).toEqual(before)
  })
})

/** The file, taken in by a store of its own. */
async function receiveWhole() {
  const root = join(folder, randomUUID())
  const name = 'l'.repeat(24)
  const place = { store: createFolderStore(root), folder: name, cipher: undefined }
  const archive = await receiveFile(place, Readable.from([whole]))
  const lines: FileLine[] = []
  for await (const line of readFileLines(archive)) lines.push(line)
  return { root, name, place, archive, lines }
}

/** The file with another list of its files, as somebody would make it who knows the format. */
async function withList(change: (lines: FileLine[]) => FileLine[], rows?: number): Promise<Buffer> {
  const { root, name, place, archive, lines } = await receiveWhole()
  for (const member of ['manifest.json', indexName]) rmSync(join(root, name, member))
  const wanted = change(lines)
  const texts = wanted.map((line) => `${JSON.stringify(line)}\n`)
  const index = await place.store.write(name, indexName, await seal(Readable.from(texts), undefined))
  const { files } = archive.manifest
  const listed = { ...files, index: [{ name: indexName, ...index }], rows: rows ?? files.rows }
  const manifest = { ...archive.manifest, files: listed }
  await writeManifest(place, manifest)
  const there = new Set(lines.map(({ member }) => member))
  const kept = new Set(wanted.flatMap(({ member }) => (there.has(member) ? (member ?? []) : [])))
  const tables = manifest.tables.flatMap(({ members }) => members.map((member) => member.name))
  const names = ['manifest.json', ...tables, indexName, ...kept]
  return closed(names.map((member) => packed(member, readFileSync(join(root, name, member)))))
}

/** The file with one more member, as somebody would make it who knows the format. */
const withMember = (file: Buffer, name: string): Buffer =>
  closed([file.subarray(0, file.length - 1024 - 1024), packed(name, Buffer.from('alheio'))])

const packed = (name: string, content: Buffer) =>
  Buffer.concat([
    tarHeader({ name, size: content.length }),
    content,
    Buffer.alloc(padded(content.length) - content.length),
  ])

/** Members with the checksum at their end that is right. */
function closed(members: Buffer[]): Buffer {
  const body = Buffer.concat(members)
  const checksum = Buffer.from(createHash('sha256').update(body).digest('hex'))
  return Buffer.concat([body, packed('checksum', checksum), Buffer.alloc(1024)])
}

testAtNight('an encrypted backup is imported only with its key', async () => {
  const own = await testApp({ BACKUP_KEY: backupKey }, { hasJobs: true })
  const who = await own.signIn('admin', 'chefe')
  await writePast(own, who.userId, 1)
  const sealed = await download(own, who, await makeBackup(who))
  await own.close()
  expect(sealed.includes('Cliente')).toBe(false)
  const before = await partsOf(t).store.list()
  await expect(importBytes(sealed)).rejects.toThrow('ponha a sua chave em BACKUP_KEY')
  const { generateIdentity } = await import('age-encryption')
  await expect(importBytes(sealed, await generateIdentity())).rejects.toThrow('assinatura')
  expect(await partsOf(t).store.list()).toEqual(before)
  const made = await importBytes(sealed, backupKey)
  expect((await listBackupViews(t.database, t.config)).find(({ id }) => id === made.id)?.isEncrypted).toBe(
    true,
  )
  expect((await download(t, admin, made)).equals(sealed)).toBe(true)
})

test('a backup without a signature is imported where there is a key only by whoever trusts it', async () => {
  const before = await partsOf(t).store.list()
  await expect(importBytes(whole, backupKey)).rejects.toThrow('Falta a assinatura de BACKUP_KEY')
  expect(await partsOf(t).store.list()).toEqual(before)
  const made = await importBytes(whole, backupKey, { acceptUnsigned: true })
  expect(made.messages).toBe(12)
  expect(
    await t.sql`select details from audit_logs where action = 'maintenance.import'
                 and resource_id = ${String(made.id)}`,
  ).toEqual([{ details: { name: made.name, acceptUnsigned: true } }])
  const listed = await listBackupViews(t.database, { backupKey })
  expect(listed.find(({ id }) => id === made.id)).toMatchObject({ isEncrypted: false, isUnsigned: true })
})

describe('what is here, compared with a backup,', () => {
  const compare = (id: number) => compareBackup(partsOf(t), id, noProgress)
  const differing = async (id: number) => {
    const { tables, files } = await compare(id)
    return [
      ...tables.filter(({ isEqual }) => !isEqual).map(({ name }) => name),
      files.missing,
      files.different,
    ]
  }

  test('is equal until something changes', async () => {
    const { id } = await makeBackup(admin)
    expect(await differing(id)).toEqual([0, 0])
    expect((await compare(id)).files.equal).toBe(3)
    await t.sql`update companies set name = name || '!' where id = (select min(id) from companies)`
    const [file] = await t.sql<{ name: string; path: string }>`
      select name from files where message_id is not null order by id limit 1`
    await t.app.files.remove(file?.name ?? '')
    const after = await compare(id)
    expect(await differing(id)).toEqual(['companies', 1, 0])
    const companies = after.tables.find(({ name }) => name === 'companies')
    expect(companies?.here).toBe(companies?.there)
    await t.sql`insert into companies (name) values ('a mais')`
    const more = (await compare(id)).tables.find(({ name }) => name === 'companies')
    expect(more?.here).toBe((more?.there ?? 0) + 1)
  })

  test('is compared with one of an earlier version as that is after an upgrade', async () => {
    const { id } = await makeBackup(admin)
    const dir = await pathOf(id)
    const narrowed = await makeFirstArchive(dir)
    const differ = async () =>
      (await compare(id)).tables.filter(({ name, isEqual }) => !isEqual && !narrowed.includes(name))
    expect(await differ()).toEqual([])
    rewriteManifest(dir, (text) => {
      const manifest = JSON.parse(text) as Manifest
      return JSON.stringify({
        ...manifest,
        tables: manifest.tables.filter(({ name }) => name !== 'conversation_ratings'),
      })
    })
    expect(await differ()).toMatchObject([{ name: 'conversation_ratings', there: undefined }])
  })

  testAtNight('is not compared with one that is damaged, or is none', async () => {
    const { id } = await makeBackup(admin)
    await expect(compare(999_999)).rejects.toThrow('Não existe o backup 999999')
    const path = join(await pathOf(id), 'tables', 'contacts-0001.jsonl.zst')
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    rmSync(path)
    writeFileSync(path, bytes)
    await expect(compare(id)).rejects.toThrow('mudou')
  })
})
