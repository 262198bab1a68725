import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { verifyChain } from '#server/audit/audit.ts'
import { createBackupCipher } from '#server/maintenance/archive/cipher.ts'
import { noProgress, type Progress } from '#server/maintenance/archive/progress.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import { readSchemaState, schemaVersion } from '#server/platform/database/migrate.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { createLog } from '#server/platform/log.ts'
import { startApp } from '#server/app.ts'
import { type EmptyDatabase, emptyDatabase } from '#server/testing/database/empty-database.ts'
import { differing, everyRow } from '#server/testing/database/every-row.ts'
import { spread, testAtNight } from '#server/testing/nightly.ts'
import {
  claimVersion,
  makeFirstArchive,
  rewriteManifest as rewrite,
} from '#server/testing/database/archives.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { writeOddRows } from '#server/testing/database/odd-rows.ts'
import { writePast } from '#server/testing/past.ts'
import { startBucketServer } from '#server/testing/servers/bucket-server.ts'
import { forAllTests, requestTo, testApp, testPassword } from '#server/testing/test-app.ts'
import { computeFacts } from '#server/reports/facts-worker.ts'
import { refuseUnfinished } from '#server/platform/unfinished-attach.ts'
import { attachCopy, examineCopy } from './attach.ts'
import { copyInstallation } from './copy.ts'
import { readSequences, type Sequence } from './whole-tables.ts'

const backupKey = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'

/** What is in the installation, and a copy of it; tests do not change them. */
let before: Record<string, string[]>
let sequences: Sequence[]
let plain: string
const folder = mkdtempSync(join(tmpdir(), 'balcao-copy-'))
const empties: EmptyDatabase[] = []
let made = 0
const newFolder = () => join(folder, `f${++made}`)

const t = forAllTests(testApp)
beforeAll(async () => {
  const admin = await t.signIn('admin', 'chefe')
  await writePast(t, admin.userId, 3)
  await newTalk(t, admin)
  await t.settled()
  // From now on nothing changes on its own.
  await t.app.stop()
  await computeFacts(t.database)
  await writeOddRows(t.database)
  before = await everyRow(t.database, 'copy')
  sequences = await sequencesOf(t.database)
  plain = await copy()
})
afterAll(async () => {
  for (const empty of empties) await empty.close()
  rmSync(folder, { recursive: true, force: true })
})

const cipherOf = (key: string | undefined) => (key === undefined ? undefined : createBackupCipher(key))

async function copy({ key, dir = newFolder() }: { key?: string; dir?: string } = {}): Promise<string> {
  const { database, app, config } = t
  const secretKey = { given: undefined, dataDir: config.dataDir }
  await copyInstallation(
    { database, files: app.files, cipher: cipherOf(key), key: secretKey },
    dir,
    noProgress,
  )
  return dir
}

/** The copy once more, to be damaged. */
function another(): string {
  const dir = newFolder()
  cpSync(plain, dir, { recursive: true })
  return dir
}

async function sequencesOf({ pool }: Database): Promise<Sequence[]> {
  const client = await pool.connect()
  try {
    return await readSequences(client)
  } finally {
    client.release()
  }
}

interface Place {
  config: Config
  database: Database
}

async function newPlace(env: Record<string, string> = {}): Promise<Place> {
  const empty = await emptyDatabase()
  empties.push(empty)
  const dataDir = newFolder()
  mkdirSync(dataDir)
  return {
    config: { ...readConfig({ DATA_DIR: dataDir, ...env }, false), port: 0 },
    database: empty.database,
  }
}

async function attach(dir: string, place: Place, trust?: { acceptUnsigned: boolean }): Promise<void> {
  const cipher = cipherOf(place.config.backupKey)
  const found = await examineCopy({ config: place.config, cipher, ...trust }, dir, noProgress)
  await attachCopy(place, found, noProgress)
}

test('a folder is not started from while a copy for it is read, also when the reading has died', async () => {
  const place = await newPlace()
  const { dataDir } = place.config
  let refusals = 0
  const watching: Progress = {
    begin: async () => undefined,
    add: async () => {
      expect(() => refuseUnfinished(dataDir)).toThrow('não chegou inteira')
      refusals++
    },
  }
  await examineCopy({ config: place.config, cipher: undefined }, plain, watching)
  expect(refusals).toBeGreaterThan(0)
  expect(() => refuseUnfinished(dataDir)).toThrow('não chegou inteira')
  await attach(plain, place)
  expect(() => refuseUnfinished(dataDir)).not.toThrow()
})

test('a copy without a signature is attached where there is a key only by whoever trusts it', async () => {
  const place = await newPlace({ BACKUP_KEY: backupKey })
  await expect(attach(plain, place)).rejects.toThrow('Falta a assinatura de BACKUP_KEY')
  await expectNothing(place)
  await attach(plain, place, { acceptUnsigned: true })
  expect((await everyRow(place.database, 'copy'))['audit_logs']?.at(-1)).toContain('acceptUnsigned')
})

/** That nothing of a copy is in a place. */
async function expectNothing({ config, database }: Place): Promise<void> {
  const tables = await database.pool.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
  const schemas = await database.pool.query(
    `select from pg_namespace where nspname in ('drizzle', 'pgboss') or nspname like 'balcao%'`,
  )
  expect([tables.rowCount, schemas.rowCount, readdirSync(config.dataDir)]).toEqual([0, 0, []])
}

const one = async (database: Database, what: SQL) =>
  (await rows(database, sql`select ${what} as it`))[0]?.['it']
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function read(place: Place, name: string): Promise<Buffer> {
  const bytes = await (await createFileStore(place.config)).read(name)
  if (!bytes) throw new Error(`no file ${name}`)
  return Buffer.concat(await bytes.toArray())
}

describe('a copy of the whole installation', () => {
  const places: [string, string | undefined][] = [
    ['as it is', undefined],
    ['encrypted', backupKey],
  ]
  test.each(spread(places, 1))(
    '%s, becomes the same installation elsewhere, to the last value',
    async (_how, key) => {
      const dir = key === undefined ? plain : await copy({ key })
      const place = await newPlace(key === undefined ? {} : { BACKUP_KEY: key })
      await attach(dir, place)
      const after = await everyRow(place.database, 'copy')
      // A new history of events, and what was done here.
      expect(differing(before, after)).toEqual([
        'audit_logs',
        'installation',
        'job_runs',
        'messages',
        'outbox',
      ])
      const [own, other] = [after['installation']?.[0], before['installation']?.[0]]
      expect(own?.split(',')[1]).not.toBe(other?.split(',')[1])
      expect(own?.split(',').slice(2)).toEqual(other?.split(',').slice(2))
      expect(after['audit_logs']).toEqual(expect.arrayContaining(before['audit_logs'] ?? []))
      expect(after['audit_logs']?.at(-1)).toContain('maintenance.attach')
      const ahead = (await sequencesOf(place.database)).filter(
        ({ name, value }) => sequences.find((known) => known.name === name)?.value !== value,
      )
      expect(ahead.map(({ name }) => name)).toEqual(['audit_logs_id_seq'])
      expect(readFileSync(join(place.config.dataDir, 'secret.key'), 'utf8')).toBe(
        readFileSync(join(t.config.dataDir, 'secret.key'), 'utf8'),
      )
      for (const file of await t.sql<{ name: string; sha256: string }>`select name, sha256 from files`)
        expect(hashOf(await read(place, file.name))).toBe(file.sha256)
      expect(existsSync(join(place.config.dataDir, 'attach.unfinished'))).toBe(false)
    },
  )

  test('starts, lets people in with their passwords, and goes on with the next ids', async () => {
    const place = await newPlace()
    await attach(plain, place)
    const app = await startApp({ ...place, log: createLog('silent'), notices: 'never', avatarTimes: 'never' })
    const form = { username: 'chefe', password: testPassword }
    const answer = await requestTo(app.url, 'POST', '/api/auth/login', form)
    expect(answer.status).toBe(200)
    await app.stop()
    expect((await verifyChain(place.database, () => undefined)).breaks).toBe(0)
    // The next rows get ids of their own.
    await place.database.execute(sql`insert into companies (name) values ('nova')`)
  })

  test('a full copy that version 0.1.0 has made becomes an installation of this one', async () => {
    const dir = another()
    const narrowed = await makeFirstArchive(dir)
    const place = await newPlace()
    await attach(dir, place)
    expect(await readSchemaState(place.database.pool)).toMatchObject({
      isPending: false,
      version: schemaVersion,
    })
    // What later migrations have added has the values that they give, and facts are computed again.
    const comparable = (names: string[]) => names.filter((name) => !narrowed.includes(name))
    expect(comparable(differing(before, await everyRow(place.database, 'copy')))).toEqual(
      comparable(['audit_logs', 'facts_due', 'installation', 'job_runs', 'messages', 'outbox', 'sla_due']),
    )
    // The next rows get ids of their own.
    await place.database.execute(sql`insert into companies (name) values ('nova')`)
  })

  test('a full copy has no sessions, and nobody in it waits for what only the old one does', async () => {
    const place = await newPlace()
    await attach(plain, place)
    const { database } = place
    expect(await one(t.database, sql`(select count(*)::int from sessions)`)).toBeGreaterThan(0)
    expect(await one(database, sql`(select count(*)::int from sessions)`)).toBe(0)
    expect(await one(database, sql`(select count(*)::int from maintenance_backups)`)).toBe(0)
    expect(await one(database, sql`(select state from job_runs where name = 'odd')`)).toBe('failed')
    // The old one may have sent it meanwhile: the gateway is asked before it is sent.
    expect(
      await rows(
        database,
        sql`select o.state, m.delivery_status as status from outbox o join messages m on m.id = o.message_id
             where o.last_error = 'copied'`,
      ),
    ).toEqual([{ state: 'unknown', status: 'unknown' }])
  })

  test('a full copy is made into an empty folder only, and records itself', async () => {
    const dir = newFolder()
    mkdirSync(dir)
    writeFileSync(join(dir, 'outra coisa'), '')
    await expect(copy({ dir })).rejects.toThrow(`A pasta ${dir} não está vazia`)
    expect(readdirSync(dir)).toEqual(['outra coisa'])
    expect(await one(t.database, sql`(select action from audit_logs order by id desc limit 1)`)).toBe(
      'maintenance.copy',
    )
  })

  test('a full copy that fails leaves an empty folder, and no scratch schema', async () => {
    const dir = newFolder()
    const disarm = armFailpoints('copy.files=throw')
    await expect(copy({ dir })).rejects.toThrow('copy.files')
    disarm()
    expect(readdirSync(dir)).toEqual([])
    expect(
      await one(
        t.database,
        sql`(select count(*)::int from pg_namespace where nspname like 'balcao\\_scratch%')`,
      ),
    ).toBe(0)
  })

  testAtNight('a full copy names files that are gone, and is a copy all the same', async () => {
    const [file] = await t.sql<{ name: string }>`select name from files order by id limit 1`
    const bytes = await t.app.files.read(file?.name ?? '')
    const kept = Buffer.concat((await bytes?.toArray()) ?? [])
    await t.app.files.remove(file?.name ?? '')
    const dir = await copy()
    const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as { files: object }
    expect(manifest.files).toMatchObject({ missing: 1 })
    await attach(dir, await newPlace())
    const spooled = await t.app.files.spool(Readable.from([kept]), kept.length)
    await t.app.files.keep(file?.name ?? '', spooled)
  })
})

testAtNight(
  'a copy takes files from a bucket and puts them there; of a failed attach only its own go',
  async () => {
    const server = await startBucketServer()
    onTestFinished(() => server.close())
    const [first, second] = await t.sql<{ name: string }>`select name from files order by id`
    const failing = await newPlace(server.env)
    const bucket = await createFileStore(failing.config)
    const known = await t.app.files.read(first?.name ?? '')
    await bucket.keep(first?.name ?? '', await bucket.spool(known ?? piece(''), 1_000_000))
    const disarm = armFailpoints('copy.put=throw')
    await expect(attach(plain, failing)).rejects.toThrow('copy.put')
    disarm()
    await expectNothing(failing)
    expect(await bucket.read(first?.name ?? '')).toBeDefined()
    expect(await bucket.read(second?.name ?? '')).toBeUndefined()
    const place = await newPlace(server.env)
    await attach(plain, place)
    const dir = newFolder()
    const key = { given: undefined, dataDir: place.config.dataDir }
    const files = await createFileStore(place.config)
    const parts = { database: place.database, files, cipher: undefined, key }
    expect((await copyInstallation(parts, dir, noProgress)).files).toMatchObject({
      rows: 3,
      missing: 0,
      damaged: 0,
    })
    const other = await newPlace(server.env)
    await files.keep(second?.name ?? '', await files.spool(piece('de outro'), 100))
    await expect(attach(plain, other)).rejects.toThrow('No destino já há outro arquivo')
    await expectNothing(other)
  },
)

describe('a copy is refused, and nothing is left of it,', () => {
  testAtNight('where a database is in use', async () => {
    const place = await newPlace()
    const dir = plain
    await attach(dir, place)
    const used = await everyRow(place.database, 'move')
    const files = readdirSync(join(place.config.dataDir, 'uploads'))
    const folderElsewhere = newFolder()
    mkdirSync(folderElsewhere)
    const elsewhere = { ...place, config: { ...place.config, dataDir: folderElsewhere } }
    await expect(attach(dir, elsewhere)).rejects.toThrow('já tem uma instalação do Balcão')
    expect(readdirSync(folderElsewhere)).toEqual([])
    expect(differing(used, await everyRow(place.database, 'move'))).toEqual([])
    expect(readdirSync(join(place.config.dataDir, 'uploads'))).toEqual(files)
  })

  test.each(['uploads/ab/abcdefghijklmnopqrstuvwx', 'backups/abcdefghijklmnopqrstuvwx', 'secret.key'])(
    'where a data folder has %s',
    async (path) => {
      const place = await newPlace()
      const file = join(place.config.dataDir, path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, 'x'.repeat(43))
      await expect(attach(plain, place)).rejects.toThrow('já há arquivos de uma instalação')
      expect(readFileSync(file, 'utf8')).toBe('x'.repeat(43))
      rmSync(join(place.config.dataDir, path.split('/')[0] ?? ''), { recursive: true })
      await expectNothing(place)
    },
  )

  // One for each step of an attach; what may be wrong with any archive is in archive/archive.test.ts.
  test.each([
    ['is not there', (dir: string) => rmSync(dir, { recursive: true }), 'Não há uma cópia completa'],
    ['has no manifest', (dir: string) => rmSync(join(dir, 'manifest.json')), 'Não há uma cópia completa'],
    ['is of a newer version', (dir: string) => claimVersion(dir, 9_999_999_999_999), 'versão mais nova'],
    ['lacks its list of files', (dir: string) => rmSync(join(dir, 'files', 'index.jsonl.zst')), 'danificada'],
    ['lacks its key', (dir: string) => rmSync(join(dir, 'secret.key')), 'danificada'],
    ['has another key', (dir: string) => flip(join(dir, 'secret.key')), 'mudou: secret.key'],
    ['has another table', (dir: string) => flip(join(dir, 'tables', 'users-0001.jsonl.zst')), 'mudou'],
    [
      'names another number of rows',
      (dir: string) => rewrite(dir, (text) => text.replace(/("name":"users".*?"rows":)\d+/, '$10')),
      'diferenças na tabela users',
    ],
  ])('a copy is refused, without leftovers, when it %s', async (_what, damage, words) => {
    const dir = another()
    damage(dir)
    const place = await newPlace()
    await expect(attach(dir, place)).rejects.toThrow(words)
    await expectNothing(place)
  })

  testAtNight('when SECRET_KEY is another one, or it is of a demonstration', async () => {
    const dir = another()
    const place = await newPlace({ SECRET_KEY: 'q'.repeat(40) })
    await expect(attach(dir, place)).rejects.toThrow('SECRET_KEY não é a chave')
    rewrite(dir, (text) => text.replace('"isDemo":false', '"isDemo":true'))
    const real = await newPlace()
    await expect(attach(dir, real)).rejects.toThrow('use --demo')
    await expectNothing(real)
  })

  test.each(['copy.put', 'copy.loaded'])('when it fails at %s', async (point) => {
    const place = await newPlace()
    const disarm = armFailpoints(`${point}=throw`)
    await expect(attach(plain, place)).rejects.toThrow(point)
    disarm()
    await expectNothing(place)
  })
})

async function* piece(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

function flip(path: string): void {
  const bytes = readFileSync(path)
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
