import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { WebSocket } from 'ws'
import type { App } from './app.ts'
import { readNewPassword } from './cli/password-input.ts'
import {
  beginInstallation,
  type Ended,
  isServerRunning,
  runAdmin,
  type ServerBeside,
  startProgram,
  startServerOn,
  testPassword,
} from './cli/maintenance/test-command.ts'
import { openInstallation } from './installation.ts'
import { readConfig } from './platform/config.ts'
import { version } from '#shared/version.ts'
import { type Database, migrateDatabase, openDatabase, rows } from '#server/platform/database/db.ts'
import type { EmbeddedPostgres } from './platform/embedded-postgres.ts'
import { createLog } from './platform/log.ts'
import { createUser, ensureFirstAdmin } from './users/users.ts'
import { eventually, requestTo } from '#server/testing/test-app.ts'
import { isNight, testAtNight } from '#server/testing/nightly.ts'

// Each test starts programs, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

interface Given {
  env?: Record<string, string>
  /** Piped to the command. */
  input?: string
}

/** Runs a command here: to start a program takes a second. */
const admin = (args: string[], { env = {}, input = '' }: Given = {}) =>
  runAdmin(args, { DATA_DIR: dataDir, ...env }, () =>
    readNewPassword(Readable.from([Buffer.from(input)]), new PassThrough()),
  )

/** Runs the command as the program that it is. */
async function adminProgram(args: string[], { env = {}, input = '' }: Given = {}): Promise<Ended> {
  const { signal: _none, ...ended } = await startProgram(args, { DATA_DIR: dataDir, ...env }, input).ended
  return ended
}

/** As a program in the whole run alone, since to start one takes seconds: where only its words matter. */
const programAtNight = isNight ? adminProgram : admin

const printed = (stdout: string) => ({ code: 0, stdout, stderr: '' })
const done = (stdout: string | RegExp) => ({ code: 0, stdout: expect.stringMatching(stdout), stderr: '' })
const refused = (line: string, code = 1) => ({ code, stdout: '', stderr: `${line}\n` })
const printedPassword = ({ stdout }: Ended) =>
  /^Senha \(mostrada só desta vez\): (\S{16})$/m.exec(stdout)?.[1]

const folder = folderForTests()
// When run as root, the embedded server runs under another account, which must be able to enter this folder.
chmodSync(folder, 0o755)
const dataDir = join(folder, 'data')

let postgres: EmbeddedPostgres
let database: Database
let app: App
let first: Ended
let inventedAdmin: Awaited<ReturnType<typeof ensureFirstAdmin>>

async function login(username: string, password: string): Promise<{ status: number; token: string }> {
  const form = { username, password }
  const { status, body } = await requestTo<{ token?: string }>(app.url, 'POST', '/api/auth/login', form)
  return { status, token: body.token ?? '' }
}

const statusOfMe = async (token: string) =>
  (await requestTo(app.url, 'GET', '/api/auth/me', undefined, { authorization: `Bearer ${token}` })).status

const log = createLog('silent')
let lastUser = 0
async function newUser(role: 'admin' | 'operator' = 'operator'): Promise<{ username: string; id: number }> {
  const username = `pessoa-${++lastUser}`
  const email = `${username}@teste.example`
  const id = await createUser(database, { username, email, name: username, password: testPassword, role })
  return { username, id }
}

async function shutOut(username: string): Promise<number> {
  for (let guess = 0; guess < 3; guess++) await login(username, 'errada')
  return (await login(username, testPassword)).status
}

const auditOf = (id: number) =>
  rows<{ action: string; userId: number | null; origin: string; details: Record<string, unknown> }>(
    database,
    sql`select action, user_id as "userId", origin, details from audit_logs
         where resource_type = 'user' and resource_id = ${String(id)} and action like 'user.%' order by id`,
  )

const idOf = async (username: string) => {
  const [row] = await rows<{ id: number }>(
    database,
    sql`select id from users where lower(username) = lower(${username})`,
  )
  return row?.id
}

beforeAll(async () => {
  await beginInstallation({ DATA_DIR: dataDir })
  first = await adminProgram(['create'])
  if (first.code !== 0) throw new Error(first.stderr)
})

test('the first user is an administrator with a random password, and nothing is left running', () => {
  expect(first).toMatchObject(done('^Usuário criado: admin \\(admin@balcao.local, admin\\)\n'))
  expect(printedPassword(first)).toBeDefined()
  expect(isServerRunning(dataDir)).toBe(false)
})

test.each([['create'], ['list'], ['unblock', 'admin'], ['reset-password', 'admin']])(
  '%s makes no installation where there is none',
  async (...args) => {
    const elsewhere = join(folder, 'elsewhere')
    expect(await admin(args, { env: { DATA_DIR: elsewhere } })).toEqual(
      refused(`Não há instalação em ${elsewhere}: confira DATA_DIR e DATABASE_URL.`),
    )
    expect(existsSync(elsewhere)).toBe(false)
    const empty = folderForTests()
    expect(await admin(args, { env: { DATA_DIR: empty } })).toEqual(
      refused(`Não há instalação em ${empty}: confira DATA_DIR e DATABASE_URL.`),
    )
    expect(readdirSync(empty)).toEqual([])
  },
)

testAtNight('a demonstration begins automatically: the command makes nobody before it', async () => {
  expect(await admin(['create', '--demo'])).toEqual(
    refused(`A demonstração ainda não foi iniciada em ${join(dataDir, 'demo')}: use npm run demo.`),
  )
})

testAtNight('of two parallel creations of the first account one wins, the other is refused', async () => {
  const env = { DATA_DIR: join(folder, 'twice') }
  await beginInstallation(env)
  const both = await Promise.all([adminProgram(['create'], { env }), adminProgram(['create'], { env })])
  const [winner, loser] = both.toSorted((a, b) => (a.code ?? 0) - (b.code ?? 0))
  expect(winner).toMatchObject({ code: 0, stderr: '' })
  expect(loser).toEqual(refused('Já existe um usuário admin.'))
  expect((await adminProgram(['list', '--json'], { env })).stdout.match(/"username"/g)).toHaveLength(1)
})

test('a wrong environment is reported with a line for each mistake', async () => {
  expect(await admin(['list'], { env: { PORT: 'abc', PASSWORD_STRICT: 'sim' } })).toEqual(
    refused('PORT: use um número de 0 a 65535\nPASSWORD_STRICT: use on ou off'),
  )
})

testAtNight('a wrong command ends with 2 and no command shows the usage', async () => {
  expect(await adminProgram(['apagar'])).toEqual(
    refused('Comando desconhecido: apagar. Veja npm run admin -- --help.', 2),
  )
  expect(await programAtNight([])).toMatchObject(done('^Uso: npm run admin -- '))
  expect(await programAtNight(['--version'])).toMatchObject(done(`^${version}\n$`))
})

describe('beside a running server', () => {
  let server: ServerBeside
  beforeAll(async () => {
    const { admin: given } = readConfig({ DATA_DIR: dataDir }, false)
    server = await startServerOn(dataDir, (opened) => ({
      prepare: async () => void (inventedAdmin = await ensureFirstAdmin(opened, given)),
    }))
    ;({ app, database, postgres } = server)
  })
  afterAll(() => server.stop())

  test('the server invents no other administrator, and the printed password signs in', async () => {
    expect(inventedAdmin).toBeUndefined()
    expect((await login('admin', printedPassword(first) ?? '')).status).toBe(200)
  })

  test('a user is created with everything given, signs in, and stands in the audit log', async () => {
    const given = ['--username', ' Carla ', '--name', 'Carla Dias', '--email', 'carla@loja.example']
    const made = await admin(['create', ...given, '--role', 'supervisor', '--password-stdin'], {
      input: `${testPassword}\n`,
    })
    expect(made).toEqual(printed('Usuário criado: Carla (carla@loja.example, supervisor)\n'))
    expect((await login('carla', testPassword)).status).toBe(200)
    const audit = await auditOf((await idOf('carla')) ?? 0)
    expect(audit).toEqual([
      {
        action: 'user.create',
        userId: null,
        origin: 'command',
        details: { role: 'supervisor', isActive: true },
      },
    ])
  })

  test('a name or an e-mail that somebody has, in any case, is refused and nothing is written', async () => {
    const { username } = await newUser()
    const upper = username.toUpperCase()
    expect(await admin(['create', '--username', upper])).toEqual(refused(`Já existe um usuário ${upper}.`))
    const email = `${upper}@teste.example`
    expect(await admin(['create', '--username', 'outra-pessoa', '--email', email])).toEqual(
      refused(`Já existe um usuário com o e-mail ${email}.`),
    )
    expect(await idOf('outra-pessoa')).toBeUndefined()
  })

  test('a common password is warned of, and refused with PASSWORD_STRICT=on', async () => {
    const args = ['create', '--username', 'elisa', '--role', 'operator', '--password-stdin']
    const strict = await admin(args, { input: 'elisa2025', env: { PASSWORD_STRICT: 'on' } })
    expect(strict).toEqual(refused('Senha recusada: é comum e fácil de adivinhar (PASSWORD_STRICT=on).'))
    expect(await idOf('elisa')).toBeUndefined()
    const warned = await admin(args, { input: 'elisa2025' })
    expect(warned).toMatchObject({ code: 0, stderr: 'Atenção: esta senha é comum e fácil de adivinhar.\n' })
    expect((await login('elisa', 'elisa2025')).status).toBe(200)
  })

  testAtNight('two that create the same name at once: one wins, the other is notified', async () => {
    const args = ['create', '--username', 'gemea']
    const both = await Promise.all([adminProgram(args), adminProgram(args)])
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(both.find(({ code }) => code === 1)).toEqual(refused('Já existe um usuário gemea.'))
  })

  test.each([
    ['operator', (name: string) => `Usuário desbloqueado: ${name}.\n`],
    ['admin', (name: string) => `Bloqueio temporário desfeito: ${name}.\n`],
  ] as const)('an %s locked by wrong passwords is unlocked; the session goes on', async (role, line) => {
    const { username, id } = await newUser(role)
    const { token } = await login(username, testPassword)
    expect(await shutOut(username)).toBe(403)
    expect(await statusOfMe(token)).toBe(200)
    expect(await admin(['unblock', username])).toEqual(printed(line(username)))
    expect(await statusOfMe(token)).toBe(200)
    expect((await login(username, testPassword)).status).toBe(200)
    expect(await auditOf(id)).toMatchObject([{ details: { wasBlocked: false, wasLocked: true } }])
  })

  test('a lost second factor is reset, which ends the sessions', async () => {
    const { username, id } = await newUser()
    const { token } = await login(username, testPassword)
    await database.execute(
      sql`update users set totp_secret_encrypted = '-', totp_confirmed_at = app_now() where id = ${id}`,
    )
    expect((await login(username, testPassword)).status).toBe(401)
    expect(await admin(['reset-second-factor', username])).toEqual(
      printed(`Verificação em duas etapas desativada: ${username}.\n`),
    )
    expect(await statusOfMe(token)).toBe(401)
    expect((await login(username, testPassword)).status).toBe(200)
    expect(await admin(['reset-second-factor', username])).toMatchObject(done(/Nada a desfazer/))
  })

  test('a blocked operator is unblocked and signs in again; their old sessions stay ended', async () => {
    const { username, id } = await newUser()
    const { token } = await login(username, testPassword)
    await database.execute(sql`update users set is_blocked = true where id = ${id}`)
    expect(await admin(['unblock', username.toUpperCase()])).toEqual(
      printed(`Usuário desbloqueado: ${username}.\n`),
    )
    expect(await statusOfMe(token)).toBe(401)
    expect((await login(username, testPassword)).status).toBe(200)
    expect(await auditOf(id)).toEqual([
      {
        action: 'user.unblock',
        userId: null,
        origin: 'command',
        details: { wasBlocked: true, wasLocked: false },
      },
    ])
  })

  test('failed attempts are reset; without any, the command says so and records nothing', async () => {
    const { username, id } = await newUser()
    await login(username, 'errada')
    await login(username, 'errada')
    expect(await admin(['unblock', username])).toMatchObject(done(/não estava bloqueado; as tentativas/))
    expect((await login(username, 'errada')).status).toBe(401)
    expect((await login(username, testPassword)).status).toBe(200)
    const before = await auditOf(id)
    expect(await admin(['unblock', username])).toMatchObject(
      done(`^Nada a desfazer: ${username} não está bloqueado\\.\n$`),
    )
    expect(await auditOf(id)).toEqual(before)
  })

  test.each([['unblock'], ['reset-password'], ['reset-second-factor']])(
    '%s of somebody unknown is refused',
    async (command) => {
      expect(await admin([command, 'ninguém'])).toEqual(
        refused('Não existe um usuário ninguém. Veja npm run admin -- list.'),
      )
    },
  )

  test('a reset ends every session and closes its sockets within about a second', async () => {
    const { username, id } = await newUser()
    const { token } = await login(username, testPassword)
    const { token: second } = await login(username, testPassword)
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ws`, ['bearer', token])
    const closed = once(socket, 'close')
    await once(socket, 'open')
    const reset = await admin(['reset-password', username])
    const endedMs = performance.now()
    expect(reset).toMatchObject(done(`^Senha trocada: ${username}\\. Sessões encerradas: 2\\.\n`))
    expect((await closed)[0]).toBe(4401)
    // Without the event the heartbeat would end the socket, up to 30 seconds later.
    expect(performance.now() - endedMs).toBeLessThan(10_000)
    expect([await statusOfMe(token), await statusOfMe(second)]).toEqual([401, 401])
    expect((await login(username, testPassword)).status).toBe(401)
    expect((await login(username, printedPassword(reset) ?? '')).status).toBe(200)
    const audit = await auditOf(id)
    expect(audit).toEqual([
      {
        action: 'user.reset_password',
        userId: null,
        origin: 'command',
        details: { endedSessions: 2, unlocked: false },
      },
    ])
  })

  testAtNight.each(['nova-alface-azul', 'nova-alface-azul\n'])(
    'the new password may come from a pipe: %j',
    async (input) => {
      const { username } = await newUser()
      const reset = await adminProgram(['reset-password', username, '--password-stdin'], { input })
      expect(reset.stdout).toBe(`Senha trocada: ${username}. Sessões encerradas: 0.\n`)
      expect((await login(username, 'nova-alface-azul')).status).toBe(200)
    },
  )

  test.each(['/proc/copia', '/proc/copia/de/hoje', '/proc/version/copia'])(
    'a copy into %s, where nothing can be made, is one line',
    async (to) => {
      expect(await admin(['copy', to])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^A pasta \/proc\/.* não pode ser usada por esta conta \(E[A-Z]+\): .*\n$/,
        ),
      })
    },
  )

  test('a password that is refused changes nothing', async () => {
    const { username } = await newUser()
    const { token } = await login(username, testPassword)
    const args = ['reset-password', username, '--password-stdin']
    expect(await admin(args, { input: 'curta' })).toEqual(refused('Senha deve ter pelo menos 6 caracteres'))
    expect(await admin(args, { input: 'senha123', env: { PASSWORD_STRICT: 'on' } })).toMatchObject({
      code: 1,
    })
    expect(await statusOfMe(token)).toBe(200)
    expect((await login(username, testPassword)).status).toBe(200)
  })

  test('a reset opens what guessing closed', async () => {
    const people = [await newUser('operator'), await newUser('admin')]
    for (const { username } of people) {
      await shutOut(username)
      const reset = await admin(['reset-password', username])
      expect(reset).toMatchObject({ code: 0, stderr: '' })
      expect((await login(username, printedPassword(reset) ?? '')).status).toBe(200)
    }
  })

  test('a reset leaves a block that an administrator placed, and says so', async () => {
    const { username, id } = await newUser()
    await database.execute(sql`update users set is_blocked = true where id = ${id}`)
    const reset = await admin(['reset-password', username])
    expect(reset).toMatchObject({ code: 0, stderr: expect.stringContaining(`-- unblock ${username}\n`) })
    expect((await login(username, printedPassword(reset) ?? '')).status).toBe(403)
  })

  test('no password and no hash stands in the audit log', async () => {
    const log = JSON.stringify(
      await rows(database, sql`select * from audit_logs l left join audit_personal p on p.log_id = l.id`),
    )
    expect(log).toContain('user.reset_password')
    expect(log).not.toMatch(/argon2|alface|elisa2025/)
    expect(log).not.toContain(printedPassword(first))
  })

  test('the audit is checked, and what was changed by hand is named with its place', async () => {
    const sealed = async () => {
      const [row] = await rows<{ waiting: number; last: number; hash: string }>(
        database,
        sql`select (select count(*)::int from audit_logs
                     where position is null and repeat_key is null) as waiting,
                   position as last, hash from audit_head`,
      )
      return row
    }
    const end = await eventually(sealed, { waiting: 0 })
    const noted = `${end?.last}:${end?.hash}`
    const checked = await programAtNight(['audit-verify', '--head', noted])
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(checked.stdout).toMatch(/^Auditoria: [\d.]+ registros na corrente\.\n/)
    expect(checked.stdout).toMatch(/\nTudo confere\.\n$/)
    await database.execute(sql`alter table audit_logs disable trigger user`)
    await database.execute(sql`update audit_logs set resource_id = '0' where position = 3`)
    const broken = await admin(['audit-verify'])
    expect(broken.code).toBe(1)
    expect(broken.stdout).toMatch(/^O registro 3 não confere com o anterior: .* \(id \d+\)\n/)
    expect(broken.stderr).toMatch(/^A auditoria foi alterada fora do Balcão: 1 falha\. .*operations\.md\.\n$/)
    const other = `${end?.last}:${'0'.repeat(64)}`
    expect((await admin(['audit-verify', '--head', other])).stdout).toContain('elo anotado fora do banco')
    await database.execute(sql`alter table audit_logs enable trigger user`)
  })

  test('a person is looked for in the database, the files and the logs', async () => {
    const number = '5511987650987'
    const uploads = join(dataDir, 'uploads', 'ab')
    const logs = mkdtempSync(join(tmpdir(), 'balcao-logs-'))
    mkdirSync(uploads, { recursive: true })
    await database.execute(sql`insert into contacts (name, phone) values ('Zenaide', ${number})`)
    writeFileSync(join(uploads, 'abc'), 'fone: (11) 98765-0987')
    writeFileSync(join(logs, 'balcao.log'), 'nome: ZENAIDE')
    const found = await admin(['lgpd-scan', '11 98765-0987', '--also', 'zenaide', '--logs', logs])
    expect([
      found.code,
      found.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(logs, 'logs')),
    ]).toEqual([
      1,
      [
        'encontrado em contacts.name',
        'encontrado em contacts.phone',
        'encontrado em contacts.name_folded',
        'encontrado em uploads/ab/abc',
        expect.stringMatching(/^encontrado em .*balcao\.log$/),
      ],
    ])
    await database.execute(sql`delete from contacts where name = 'Zenaide'`)
    rmSync(join(uploads, 'abc'))
    const nothing = await programAtNight(['lgpd-scan', number, '--also', 'zenaide'])
    expect(nothing).toMatchObject({ code: 0, stderr: '' })
    expect(nothing.stdout).toMatch(/^nada encontrado \(\d+ colunas e \d+ arquivos\)\n$/)
    rmSync(logs, { recursive: true })
  })

  test('the list shows how everybody stands', async () => {
    const blocked = await newUser()
    const guessed = await newUser()
    const locked = await newUser('admin')
    const inactive = await newUser()
    await database.execute(sql`update users set is_blocked = true where id = ${blocked.id}`)
    await shutOut(guessed.username)
    await shutOut(locked.username)
    await database.execute(sql`update users set is_active = false where id = ${inactive.id}`)
    await database.execute(sql`update users set name = ${'Ana\u001b[2J'} where id = ${inactive.id}`)
    const { code, stdout } = await admin(['list'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^Nome +Username +E-mail +Perfil +Situação +Último login +Sessões$/)
    const lineOf = (username: string) => lines.find((line) => line.includes(` ${username} `))
    expect(lineOf(blocked.username)).toMatch(/ Operador +bloqueado +nunca +0$/)
    expect(lineOf(guessed.username)).toMatch(/ Operador +bloqueado por senhas erradas +nunca +0$/)
    expect(lineOf(locked.username)).toMatch(
      / Administrador +bloqueado até \d\d\/\d\d\/\d{4} \d\d:\d\d +nunca +0$/,
    )
    expect(lineOf(inactive.username)).toMatch(/^Ana\?\[2J .* Operador +inativo +nunca +0$/)
    expect(lineOf('admin')).toMatch(/ ativo +\d\d\/\d\d\/\d{4} \d\d:\d\d +1$/)
  })

  test('the list for scripts is JSON, and says nothing of passwords', async () => {
    const { username, id } = await newUser()
    await login(username, testPassword)
    const { stdout } = await admin(['list', '--json'])
    const accounts = JSON.parse(stdout) as { id: number }[]
    expect(accounts.find((account) => account.id === id)).toEqual({
      id,
      name: username,
      username,
      email: `${username}@teste.example`,
      role: 'operator',
      isActive: true,
      isBlocked: false,
      loginLockedAt: null,
      lockedUntil: null,
      lastLoginAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      openSessions: 1,
    })
    expect(stdout).not.toMatch(/argon2/)
  })

  describe('with DATABASE_URL', () => {
    const url = (name: string) => {
      const { host, port, user } = postgres.connection
      return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`
    }
    const env = (name: string) => ({ DATABASE_URL: url(name), DATA_DIR: join(folder, 'unused') })

    async function inMaintenance(statement: string): Promise<void> {
      const connection = { ...postgres.superuser, database: 'postgres' }
      const superuser = openDatabase({ connection, log, poolSize: 1 })
      await superuser.pool.query(statement)
      await superuser.close()
    }
    const names = ['cli_real', 'cli_empty', 'cli_foreign', 'cli_demo']
    beforeAll(async () => {
      for (const name of names)
        await inMaintenance(`create database ${name} owner "${postgres.connection.user}"`)
      const connection = { ...postgres.connection, database: 'cli_foreign' }
      const foreign = openDatabase({ connection, log, poolSize: 1 })
      await foreign.execute(sql`create table pedidos (id int)`)
      await foreign.close()
    })

    const relationsOf = async (name: string) => {
      const connection = { ...postgres.connection, database: name }
      const there = openDatabase({ connection, log, poolSize: 1 })
      const found = await rows<{ name: string }>(
        there,
        sql`select relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
             where nspname !~ '^pg_' and nspname <> 'information_schema'`,
      )
      await there.close()
      return found.map((row) => row.name)
    }

    test('the first user of an installation in a database of its own is created', async () => {
      await beginInstallation(env('cli_real'))
      const made = await admin(['create', '--username', 'chefe'], { env: env('cli_real') })
      expect(made).toMatchObject(done('^Usuário criado: chefe '))
      expect(await admin(['list'], { env: env('cli_real') })).toMatchObject(done(/^chefe +chefe /m))
      expect(existsSync(join(folder, 'unused'))).toBe(false)
    })

    test.each([
      ['create'],
      ['list'],
      ['unblock', 'ana'],
      ['reset-second-factor', 'ana'],
      ['doctor'],
      ['audit-verify'],
      ['lgpd-scan', '11987654321'],
      ['report-verify', '--from', '2026-01-01', '--to', '2026-01-02'],
      ['backup', 'list'],
      ['backup', 'compare', '1'],
      ['media', 'scan'],
      ['media', 'move'],
      ['undo-upgrade'],
      ['copy', '/tmp/nowhere/copy'],
    ])('%s %s creates no table in an empty database, nor in that of another program', async (...args) => {
      expect(await admin(args, { env: env('cli_empty') })).toEqual(
        refused('Não há instalação no banco de DATABASE_URL: confira DATA_DIR e DATABASE_URL.'),
      )
      expect(await relationsOf('cli_empty')).toEqual([])
      const { code, stderr } = await admin(args, { env: env('cli_foreign') })
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^O banco tem tabelas de outro programa \(pedidos\): .*\n$/),
      })
      expect(await relationsOf('cli_foreign')).toEqual(['pedidos'])
    })

    test('a database in real use is not taken for a demonstration', async () => {
      const { code, stderr } = await admin(['list', '--demo'], { env: env('cli_real') })
      expect(code).toBe(1)
      expect(stderr).toMatch(/^Este banco de dados é de uso real/)
    })

    test("a demonstration's database is used with --demo alone", async () => {
      const demo = openDatabase({ connection: { ...postgres.connection, database: 'cli_demo' }, log })
      await migrateDatabase(demo)
      await openInstallation(demo, true)
      await ensureFirstAdmin(demo, { username: undefined, email: undefined, password: undefined })
      await demo.close()
      expect((await admin(['list'], { env: env('cli_demo') })).stderr).toMatch(
        /^Este banco de dados é de demonstração/,
      )
      expect(await admin(['list', '--demo'], { env: env('cli_demo') })).toMatchObject(done(/ admin /))
    })

    test('the doctor says in JSON, too, that there is no database, or no installation', async () => {
      const DATABASE_URL = 'postgres://chefe:chave-secreta@127.0.0.1:1/balcao'
      const places: Record<string, string>[] = [{ DATABASE_URL }, { DATA_DIR: join(folder, 'nowhere') }]
      for (const place of places) {
        const { code, stdout } = await admin(['doctor', '--json'], { env: place })
        expect(code).toBe(1)
        expect(JSON.parse(stdout)).toMatchObject({
          findings: [
            { check: 'database', state: 'fault', text: expect.stringMatching(/não responde|Não há/) },
          ],
        })
        expect(stdout).not.toContain('chave-secreta')
      }
    })

    test('a server that is not there is one clear line', async () => {
      const nowhere = { DATABASE_URL: 'postgres://chefe:chave-secreta@127.0.0.1:1/balcao' }
      const { code, stderr } = await admin(['list'], { env: nowhere })
      expect(code).toBe(1)
      expect(stderr).toMatch(/^O PostgreSQL não responde em 127\.0\.0\.1:1 .*\n$/)
      expect(stderr).not.toContain('chave-secreta')
    })
  })
})

test('the command starts the database for itself, finds everybody, and stops it again', async () => {
  expect(isServerRunning(dataDir)).toBe(false)
  expect(await adminProgram(['list'])).toMatchObject(done(/ Carla +carla@loja\.example /))
  expect(await admin(['reset-password', 'admin'])).toMatchObject(
    done('^Senha trocada: admin\\. Sessões encerradas: 1\\.\n'),
  )
  expect(isServerRunning(dataDir)).toBe(false)
})
