import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { type App, startApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { type BucketServer, startBucketServer } from '#server/testing/servers/bucket-server.ts'
import { type OwnServer, startOwnServer } from '#server/testing/servers/own-server.ts'
import { eventually } from '#server/testing/test-app.ts'
import { beginInstallation, runAdmin, testPassword } from './maintenance/test-command.ts'
import { usage } from './usage.ts'

// Runs every command that the documents name, as somebody types it who follows them.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const root = join(import.meta.dirname, '..', '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** What a script of npm, or `balcao-admin` (''), gives the program; undefined where it is another one. */
function argumentsOf(name: string, rest: string): string | undefined {
  if (name === '') return rest
  const [, words] = / scripts\/balcao\.mjs admin ?(.*)$/.exec(scripts[name] ?? '') ?? []
  return words === undefined ? undefined : `${words} ${rest}`.trim()
}

/** The commands of a text, without comments, each once. */
function commandsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:npm run (?:-s )?([a-z:-]+)(?: -- | |(?=[`#\n]))|(?<=^|`)balcao-admin )((?:'[^'\n]*'|[^`\n#'])*)/gm,
  )
  return [...found]
    .map(([, name = '', rest = '']) => argumentsOf(name, rest.replace(/[,;)].*$/, '').trim()))
    .filter((words) => words !== undefined && words !== '')
    .map((words) => words ?? '')
}

const documents = ['README.md', 'docs/operations.md', 'docs/operacao.md'].filter((path) =>
  existsSync(join(root, path)),
)
const documented = [...new Set(documents.flatMap((path) => commandsOf(read(path))))]

const folder = folderForTests()
// When run as root, the embedded server runs under another account, which must be able to enter this folder.
chmodSync(folder, 0o755)
const dataDir = join(folder, 'data')
/** A new installation that finds the backups of the first one, as it does with the same bucket. */
const rescued = join(folder, 'rescued')
const log = createLog('silent')

let own: OwnServer
let bucket: BucketServer
let postgres: EmbeddedPostgres
let database: Database
let app: App
let backupFolder = ''
let backupId = 0

const admin = (words: string[], env: Record<string, string> = {}) =>
  runAdmin(words, { DATA_DIR: dataDir, INIT_CWD: folder, ...env })

async function request(method: string, path: string, token: string, body?: object): Promise<Response> {
  return fetch(app.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function startServer(): Promise<void> {
  postgres = await startEmbeddedPostgres({ dataDir })
  database = openDatabase({ connection: postgres.connection, log })
  const config = { ...readConfig({ DATA_DIR: dataDir }, false), port: 0 }
  app = await startApp({ config, database, log, notices: 'never', avatarTimes: 'never' })
}

async function stopServer(): Promise<void> {
  await app.stop()
  await database.close()
  await postgres.stop()
}

beforeAll(async () => {
  own = await startOwnServer()
  bucket = await startBucketServer()
  await own.query('create role balcao login')
  await own.query(`create database balcao owner balcao encoding 'UTF8' template template0`)
  await beginInstallation({ DATA_DIR: dataDir })
  const first = await admin(['create', '--username', 'chefe', '--role', 'admin', '--password-stdin'])
  if (first.code !== 0) throw new Error(first.stderr)
  await startServer()
  await database.pool.query('update users set must_change_password = false')
  const signedIn = await request('POST', '/api/auth/login', '', { username: 'chefe', password: testPassword })
  const { token } = (await signedIn.json()) as { token: string }
  await request('POST', '/api/maintenance/backup', token, { name: 'Backup', type: 'complete' })
  const [backup] = await eventually(
    async () => (await (await request('GET', '/api/maintenance/backups', token)).json()) as Backup[],
    ([one]) => one?.status === 'completed',
  )
  backupId = backup?.id ?? 0
  const file = await request('GET', `/api/maintenance/download/${backupId}`, token)
  writeFileSync(join(folder, 'Backup.tar'), Buffer.from(await file.arrayBuffer()))
  ;[backupFolder = ''] = readdirSync(join(dataDir, 'backups'))
  await stopServer()
  // Each command would start and stop it.
  postgres = await startEmbeddedPostgres({ dataDir })
  mkdirSync(rescued)
  mkdirSync(join(folder, 'logs'))
  cpSync(join(dataDir, 'backups'), join(rescued, 'backups'), { recursive: true })
  await beginInstallation({ DATA_DIR: rescued })
})
afterAll(async () => {
  await bucket.close()
  await own.close()
})

/** Words of the documents, and what somebody has in their place. */
const placeholders = (): Record<string, string> => ({
  FILE: 'Backup.tar',
  ARQUIVO: 'Backup.tar',
  ID: String(backupId),
  NAME: 'ana',
  "'postgres://balcao@db.example.com/balcao?sslmode=verify-full'": own.url('balcao', 'balcao'),
  'postgres://…': own.url('balcao', 'balcao'),
  '/var/log/balcao': join(folder, 'logs'),
  '48213:7be14d0c…c09f': `1:${'0'.repeat(64)}`,
})

interface Run {
  /** What a document says, as a pattern; the first that fits counts. */
  is: RegExp
  code?: number
  prints: RegExp
  env?: Record<string, string>
  hasBucket?: true
  /** Nothing else may use the database, from here on. */
  isAlone?: true
  /** Instead of FOLDER. */
  folder?: () => string
}

const copied = () => join(folder, 'copy')
let copies = 0

/** In the order in which they are run: what others need comes first, what ends the installation last. */
const runs: readonly Run[] = [
  { is: /^--version$/, prints: /^\d+\.\d+\.\d+/ },
  { is: /^--help$/, prints: /^Uso: / },
  { is: /^create .*ana/, code: 0, prints: /^Usuário criado: ana .*operator|Já existe um usuário ana/ },
  { is: /^reset-password /, prints: /^Senha trocada: ana\./ },
  { is: /^unblock /, prints: /ana/ },
  { is: /^reset-second-factor /, prints: /não usa a verificação/ },
  { is: /^list/, prints: /ana/ },
  { is: /^doctor/, prints: /./ },
  { is: /^report-verify /, prints: /./ },
  { is: /^phones/, prints: /telefone/ },
  { is: /^lgpd-scan /, prints: /nada encontrado/i },
  { is: /^audit-verify --head/, code: 1, prints: /./ },
  { is: /^audit-verify/, prints: /./ },
  { is: /^backup list/, prints: /Backup/ },
  {
    is: /^backup import (FOLDER|PASTA)/,
    prints: /^Backup importado: Backup recuperado /,
    env: { DATA_DIR: rescued },
    folder: () => backupFolder,
  },
  { is: /^backup import /, prints: /^Backup importado: Backup / },
  // The users of the commands above are not in the backup.
  { is: /^backup compare /, code: 1, prints: /^users: difere/m },
  { is: /^media move/, prints: /Nada a mudar/, hasBucket: true },
  { is: /^media scan/, prints: /arquivos/, hasBucket: true },
  { is: /^copy /, prints: /^Cópia feita em /, folder: () => join(folder, `copy${copies++ || ''}`) },
  { is: /^attach /, prints: /^Instalação pronta: /, folder: copied },
  { is: /^undo-upgrade/, code: 1, prints: /cópia/, isAlone: true },
  { is: /^move-to /, prints: /^Banco de dados copiado e comparado: / },
]

const runOf = (command: string) => runs.find(({ is }) => is.test(command))

test('every documented command, and every command of the help, is run here', () => {
  expect(documented.length).toBeGreaterThan(30)
  expect(documented.filter((command) => !runOf(command))).toEqual([])
  const commands = [...usage.matchAll(/^ {2}((?:backup |media )?[a-z][a-z-]*)/gm)].map(
    ([, command]) => command ?? '',
  )
  for (const command of commands)
    expect(
      documented.some((one) => `${one} `.startsWith(`${command} `)),
      command,
    ).toBe(true)
})

/** Splits as a shell does, with what stands for something replaced. */
function wordsOf(command: string, folderOf: string | undefined): string[] {
  const known = placeholders()
  return (command.match(/'[^']*'|\S+/g) ?? []).map((word) => {
    if (/^(FOLDER|PASTA)$|^\/mnt\//.test(word)) return folderOf ?? word
    return known[word] ?? word.replaceAll("'", '')
  })
}

test('each documented command refuses what it does not know, and says what is wrong', async () => {
  for (const command of documented.filter((one) => !one.startsWith('--'))) {
    const words = wordsOf(command, join(folder, 'nowhere'))
    for (const [wrong, said] of [
      [[...words, '--nada'], /^Opção desconhecida: --nada\. /m],
      [[...words, 'um', 'outro'], /^Há argumentos a mais\. /m],
    ] as const) {
      const ended = await admin([...wrong])
      expect({ command, ...ended }).toMatchObject({ command, code: 2, stdout: '' })
      expect(ended.stderr, command).toMatch(said)
    }
  }
})

/** The blocks of a kind in the documents, with where each is. */
const blocks = (kind: string) =>
  documents.flatMap((path) =>
    [...read(path).matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block = '']) => [
      path,
      block,
    ]),
  )

test('each block of commands in the documents is one that a shell can read', () => {
  const all = blocks('sh')
  expect(all.length).toBeGreaterThan(20)
  for (const [path, block = ''] of all) {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: block, encoding: 'utf8' })
    expect({ path, block, status, stderr }).toEqual({ path, block, status: 0, stderr: '' })
  }
})

test('each block of SQL in the documents makes a database that the program takes', async () => {
  const all = blocks('sql')
  expect(all.map(([path]) => path)).toEqual(['docs/operations.md', 'docs/operacao.md'])
  for (const [, block = ''] of all) {
    // Beside the role and the database that are there already.
    const statements = block.replaceAll('balcao', 'outro').replace('…', 'senha').split(';')
    for (const statement of statements) if (statement.trim() !== '') await own.query(statement)
    const ended = await admin(['list'], { DATABASE_URL: own.url('outro', 'outro') })
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Não há instalação') })
    await own.query('drop database outro')
    await own.query('drop role outro')
  }
})

test('each documented command ends as its document says', async () => {
  let attached = 0
  const seen: string[] = []
  for (const run of runs) {
    if (run.isAlone) await postgres.stop()
    for (const command of documented.filter((one) => runOf(one) === run)) {
      if (command.startsWith('create')) await admin(['create', '--username', 'beto', '--password-stdin'])
      const env = command.startsWith('attach') ? { DATA_DIR: join(folder, `new${++attached}`) } : run.env
      const all = { ...(run.hasBucket && bucket.env), ...env }
      const ended = await admin(wordsOf(command, run.folder?.()), all)
      const isAgain = command.startsWith('create') && ended.stderr.includes('Já existe')
      const isMoved = command.startsWith('move-to') && ended.stderr.includes(' mudou para ')
      const printed = ended.stdout + ended.stderr
      if (isAgain || (isMoved && seen.some((one) => one.startsWith('move-to')))) continue
      seen.push(command)
      expect({ command, ...ended }).toMatchObject({ command, code: run.code ?? expect.toBeOneOf([0, 1]) })
      expect(printed, command).toMatch(run.prints)
    }
  }
  expect(seen.length).toBeGreaterThan(25)
})

test('the old database is refused after it has moved, since the new one is in use', async () => {
  const ended = await admin(['list'])
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^O banco de dados que estava em .*data mudou para 127\.0\.0\.1:\d+\/balcao: ponha /,
    ),
  })
  expect((await admin(['list'], { DATABASE_URL: own.url('balcao', 'balcao') })).stdout).toContain('chefe')
})
