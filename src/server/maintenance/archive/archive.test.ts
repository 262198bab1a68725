import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { generateIdentity } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { firstVersion, schemaVersion } from '#server/platform/database/migrate.ts'
import { createFileStore, type FileStore, newFileName } from '#server/platform/file-store.ts'
import { claimVersion, rewriteManifest } from '#server/testing/database/archives.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { checkArchive, openArchive, placeAt } from './archive.ts'
import { orDamaged } from './backup-error.ts'
import { type BackupCipher, createBackupCipher, seal, unseal } from './cipher.ts'
import type { FileToCopy } from './copy-files.ts'
import type { Kind } from './manifest.ts'
import { noProgress } from './progress.ts'
import { withClient } from './scratch.ts'
import { compareTables } from './stage.ts'
import { writeArchive } from './write.ts'

const kinds = ['backup', 'copy', 'upgrade'] as const
/** What only the manifest of a kind says. */
const own = {
  backup: { protocolSequence: 1 },
  copy: { kind: 'copy', isDemo: false, secretKey: null, keyPrint: null, sequences: [] },
  upgrade: { kind: 'upgrade', sequences: [] },
} as const

const folder = mkdtempSync(join(tmpdir(), 'balcao-archive-'))
let files: FileStore
let file: FileToCopy
let made = 0

const db = forAllTests(testDatabase)
beforeAll(async () => {
  await db.sql`insert into installation (epoch) values ('first')`
  await db.sql`insert into companies (name) values ('Padaria'), (${'a\tb\\N\n"'})`
  files = await createFileStore(readConfig({ DATA_DIR: folder }, false))
  const spooled = await files.spool(Readable.from([Buffer.from('nota fiscal')]), 100)
  file = { name: newFileName(), size: spooled.sizeBytes, sha256: spooled.sha256 }
  await files.keep(file.name, spooled)
  for (const kind of kinds) await write(kind, join(folder, kind))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (kind: Kind, dir: string, cipher?: BackupCipher) =>
  withClient(db.database, (client) =>
    writeArchive<Kind>(
      client,
      placeAt(dir, cipher),
      {
        kind,
        version: schemaVersion,
        tables: async () => [{ name: 'companies', columns: ['id', 'name'] }],
        own: async () => own[kind],
        files: { from: files, list: async () => [file] },
      },
      noProgress,
    ),
  )

async function* inPieces(text: string) {
  for (let at = 0; at < text.length; at += 100_000) yield text.slice(at, at + 100_000)
}

/** Reads all of an archive, as each kind is read before it is used. */
const readWhole = (kind: Kind, dir: string, cipher?: BackupCipher) =>
  orDamaged('está danificado', async () => {
    const archive = await openArchive(placeAt(dir, cipher), kind)
    await checkArchive(archive, noProgress)
    await withClient(db.database, (client) => compareTables(client, archive, { progress: noProgress }))
    return archive.manifest
  })

const memberIn = (dir: string, kind: 'tables' | 'files') =>
  join(dir, kind, readdirSync(join(dir, kind)).find((name) => name !== 'index.jsonl.zst') ?? '')

function flip(path: string): void {
  const bytes = readFileSync(path)
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

const damages: [string, (dir: string) => void, string][] = [
  ['has no manifest', (dir) => rmSync(join(dir, 'manifest.json')), 'Falta uma parte do backup'],
  ['is gone', (dir) => rmSync(dir, { recursive: true }), 'não estão mais onde'],
  ['lacks a table', (dir) => rmSync(memberIn(dir, 'tables')), 'Falta uma parte do backup'],
  ['lacks its list of files', (dir) => rmSync(join(dir, 'files', 'index.jsonl.zst')), 'danificado'],
  ['has a bit flipped in its list', (dir) => flip(join(dir, 'files', 'index.jsonl.zst')), 'danificado|mudou'],
  ['has a bit flipped in a table', (dir) => flip(memberIn(dir, 'tables')), 'mudou: tables/companies'],
  ['has a bit flipped in a file', (dir) => flip(memberIn(dir, 'files')), 'mudou: files/'],
  ['has a table that was cut', (dir) => truncateSync(memberIn(dir, 'tables'), 20), 'mudou: '],
  ['has an empty file', (dir) => truncateSync(memberIn(dir, 'files'), 0), 'mudou: '],
  ['has a longer file', (dir) => appendFileSync(memberIn(dir, 'files'), 'x'), 'mudou de tamanho'],
  ['is of a newer version', (dir) => claimVersion(dir, 9_999_999_999_999), 'é de uma versão mais nova'],
  ['is of before version 0.1.0', (dir) => claimVersion(dir, firstVersion - 1), 'que esta não conhece'],
  [
    'is of a newer format',
    (dir) => rewriteManifest(dir, (text) => text.replace('"format":1', '"format":2')),
    'é de uma versão mais nova',
  ],
  ['is nothing of ours', (dir) => rewriteManifest(dir, () => '{}'), 'Não é um'],
  ['has no JSON', (dir) => rewriteManifest(dir, (text) => text.slice(1)), 'manifesto não pode ser lido'],
  [
    'says what no version says',
    (dir) => rewriteManifest(dir, (text) => text.replace('{', '{"more":1,')),
    'O manifesto não é válido',
  ],
  [
    'leads out of its folder',
    (dir) => rewriteManifest(dir, (text) => text.replace('"tables/', '"../tables/')),
    'O manifesto não é válido',
  ],
  [
    'names another number of rows',
    (dir) => rewriteManifest(dir, (text) => text.replace('"rows":2', '"rows":3')),
    'diferenças na tabela companies',
  ],
  [
    'names another hash',
    (dir) => rewriteManifest(dir, (text) => text.replace(/"hash":"\d+"/, '"hash":"1"')),
    'diferenças na tabela companies',
  ],
]

test('a line that is longer than any of ours is refused, however small it is packed', async () => {
  const read = async (text: string, longest: number) => {
    const lines: string[] = []
    for await (const some of unseal(await seal(inPieces(text), undefined), undefined, longest))
      lines.push(...some)
    return lines
  }
  const long = 'x'.repeat(3_000_000)
  expect(await read(`a\n${long}\n\n${long}\nb\n`, 3_000_000)).toEqual(['a', long, '', long, 'b'])
  await expect(read(`a\n${long}\n`, 2_999_999)).rejects.toThrow('uma linha longa demais')
  await expect(read(long, 2_999_999)).rejects.toThrow('uma linha longa demais')
  await expect(read(long, 3_000_000)).rejects.toThrow('cortado')
})

describe.each(kinds)('an archive of the kind %s', (kind) => {
  const another = () => {
    const dir = join(folder, `${kind}-${++made}`)
    cpSync(join(folder, kind), dir, { recursive: true })
    return dir
  }

  test('an archive says what is in it, and is read back whole', async () => {
    expect(await readWhole(kind, another())).toMatchObject({
      ...own[kind],
      schema: schemaVersion,
      isEncrypted: false,
      tables: [{ name: 'companies', columns: ['id', 'name'], rows: 2 }],
      files: { rows: 1, bytes: 11, missing: 0, damaged: 0 },
    })
  })

  test.each(damages)(
    'an archive is refused that %s, and nothing is left of it',
    async (_what, damage, words) => {
      const dir = another()
      damage(dir)
      await expect(readWhole(kind, dir)).rejects.toMatchObject({
        name: 'BackupError',
        message: expect.stringMatching(words),
      })
      const left = await db.sql`select from pg_namespace where nspname like 'balcao\\_%'`
      expect(left).toEqual([])
    },
  )

  test('an archive is not taken for one of another kind', async () => {
    for (const other of kinds.filter((one) => one !== kind))
      await expect(readWhole(other, join(folder, kind))).rejects.toThrow(/^Não é um/)
  })

  test('an archive without a signature is read where there is a key only by whoever trusts it', async () => {
    const key = createBackupCipher(await generateIdentity())
    const open = (trust?: { acceptUnsigned: boolean }) => openArchive(placeAt(another(), key), kind, trust)
    const accepted = { cipher: undefined, manifest: { isEncrypted: false } }
    expect(await open({ acceptUnsigned: true })).toMatchObject(accepted)
    // A copy from before an upgrade may be older than the key.
    if (kind === 'upgrade') expect(await open()).toMatchObject(accepted)
    else await expect(open()).rejects.toThrow('Falta a assinatura de BACKUP_KEY')
  })

  test('an encrypted archive is read with its key only, and shows nothing of what is in it', async () => {
    const [key, otherKey] = [await generateIdentity(), await generateIdentity()].map(createBackupCipher)
    const dir = join(folder, `${kind}-encrypted`)
    await write(kind, dir, key)
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.startsWith('manifest.'))
        expect(readFileSync(join(entry.parentPath, entry.name), 'latin1')).toMatch(/^age-encryption/)
    expect((await readWhole(kind, dir, key)).isEncrypted).toBe(true)
    await expect(readWhole(kind, dir)).rejects.toThrow('ponha a sua chave em BACKUP_KEY')
    await expect(readWhole(kind, dir, otherKey)).rejects.toThrow('assinatura')
    rewriteManifest(dir, (text) => text.replace('"rows":2', '"rows":3'))
    await expect(readWhole(kind, dir, key)).rejects.toThrow('assinatura')
  })
})
