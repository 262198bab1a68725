import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '#server/platform/database/db.ts'
import { folderForTests, forAllTests } from '#server/testing/for-all-tests.ts'
import { startOwnServer, startRefusal } from '#server/testing/servers/own-server.ts'
import { createLog } from './log.ts'
import {
  migrateDatabase,
  neededExtensions,
  ourTables,
  readSchemaState,
} from '#server/platform/database/migrate.ts'
import { checkExternalPostgres } from './external-postgres.ts'
import {
  type Facts,
  readFacts,
  rightsFault,
  serverFault,
  serverWarnings,
} from '#server/platform/external-postgres/facts.ts'

const log = createLog('silent')
const ourMigrations = join(import.meta.dirname, '..', 'migrations')

const server = forAllTests(() =>
  startOwnServer({
    hba: ['local all postgres trust', 'local all dona peer', 'host all all 127.0.0.1/32 scram-sha-256'],
  }),
)

beforeAll(async () => {
  await server.query(`create role dona login password 'certa'`)
  await server.query(`create role visita login password 'certa'`)
  await server.query('create database balcao owner dona')
})

const address = (user: string, database: string) => server.url(`${user}:certa`, database)

/** The message that refuses the start. */
async function refusal(url: string): Promise<string> {
  const message = await startRefusal(() => checkExternalPostgres(url, log))
  expect(message).not.toContain('certa')
  return message
}

/** Migrates as the superuser. */
async function migrateHere(database: string, folder = ourMigrations): Promise<void> {
  const connection = { host: server.folder, port: server.port, user: 'postgres', database, ssl: false }
  const opened = openDatabase({ connection, log, poolSize: 2 })
  try {
    await migrateDatabase(opened, { folder })
  } finally {
    await opened.close()
  }
}

test('a role that owns its database and is no superuser is enough', async () => {
  const connection = await checkExternalPostgres(address('dona', 'balcao'), log)
  const opened = openDatabase({ connection, log, poolSize: 2 })
  await migrateDatabase(opened)
  expect(await readSchemaState(opened.pool)).toMatchObject({ isEmpty: false, isPending: false })
  await opened.close()
  await checkExternalPostgres(address('dona', 'balcao'), log)
})

test('its sessions say who they are, end soon when the program is gone, and commit for good', async () => {
  const connection = await checkExternalPostgres(`${address('dona', 'balcao')}?application_name=loja`, log)
  const opened = openDatabase({ connection, log, poolSize: 2 })
  const { rows } = await opened.pool.query(
    `select current_setting('application_name') as name,
            current_setting('client_connection_check_interval') as interval,
            current_setting('timezone') as timezone, current_setting('search_path') as path,
            current_setting('synchronous_commit') as commit`,
  )
  expect(rows[0]).toEqual({
    name: expect.stringMatching(new RegExp(`^loja ${process.pid} .`)),
    interval: '2s',
    timezone: 'UTC',
    path: 'public',
    commit: 'on',
  })
  await opened.close()
})

test('an address on which no PostgreSQL listens is named', async () => {
  expect(await refusal('postgres://dona:certa@127.0.0.1:1/balcao')).toBe(
    'O PostgreSQL não responde em 127.0.0.1:1 (ECONNREFUSED): inicie o servidor ou corrija DATABASE_URL.',
  )
  expect(await refusal('postgres://dona@/balcao?host=/nao/existe')).toMatch(
    /^O PostgreSQL não responde em \/nao\/existe\/\.s\.PGSQL\.5432 \(ENOENT\)/,
  )
  expect(await refusal('postgres://dona@servidor.invalid/balcao')).toMatch(
    /^O servidor servidor\.invalid não foi encontrado/,
  )
})

test('the password is wrong, or missing', async () => {
  vi.stubEnv('PGPASSWORD', '')
  expect(await refusal(server.url('dona:errada', 'balcao'))).toBe(
    `O PostgreSQL em 127.0.0.1:${server.port} recusou a senha de "dona": corrija DATABASE_URL.`,
  )
  expect(await refusal(server.url('dona', 'balcao'))).toMatch(
    /pede a senha de "dona": escreva-a em DATABASE_URL/,
  )
  vi.unstubAllEnvs()
})

test('the database is missing: the line that makes it is given, and it works', async () => {
  const line = await refusal(address('dona', 'novo'))
  const statement = /CREATE DATABASE .*;$/.exec(line)?.[0] ?? ''
  await server.query(statement)
  await checkExternalPostgres(address('dona', 'novo'), log)
})

test('pg_hba.conf keeps the role out', async () => {
  const socket = `postgres://dona@/balcao?host=${server.folder}&port=${server.port}`
  expect(await refusal(socket)).toMatch(/não deixa "dona" entrar/)
})

test('the role may not connect to the database', async () => {
  await server.query('create database fechado')
  await server.query('revoke connect on database fechado from public')
  expect(await refusal(address('visita', 'fechado'))).toContain(
    'GRANT CONNECT ON DATABASE "fechado" TO "visita";',
  )
})

/** A port on which this is answered; `stop` ends that. */
async function answering(onSocket: (socket: Socket, stop: () => void) => void): Promise<number> {
  const listening = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    onSocket(socket, () => listening.close())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void listening.close())
  await once(listening, 'listening')
  return (listening.address() as AddressInfo).port
}

/** An error as PostgreSQL sends it. */
function errorPacket(code: string, message: string): Buffer {
  const fields = `SFATAL\0C${code}\0M${message}\0\0`
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, Buffer.from(fields)])
}

test('what answers is no PostgreSQL, or hangs up', async () => {
  const port = await answering((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  expect(await refusal(`postgres://dona@127.0.0.1:${port}/balcao`)).toMatch(
    /não responde um PostgreSQL, ou ele recusou TLS/,
  )
})

test('a PgBouncer stands before it', async () => {
  const port = await answering((socket) => {
    socket.once('data', (first) => {
      // The request for TLS is denied; the next packet is the startup packet.
      if (first.length > 8) return socket.end(errorPacket('08P01', 'unsupported startup parameter: options'))
      socket.write('N')
      return socket.destroy()
    })
  })
  expect(await refusal(`postgres://dona@127.0.0.1:${port}/balcao`)).toMatch(/responde um PgBouncer/)
})

test('the program waits for a PostgreSQL that is just starting', async () => {
  let asked = 0
  const port = await answering((socket, stop) => {
    socket.on('data', () => {
      asked++
      socket.end(errorPacket('57P03', 'the database system is starting up'))
      if (asked === 2) stop()
    })
  })
  // After the second answer nothing listens any more.
  expect(await refusal(`postgres://dona@127.0.0.1:${port}/balcao?sslmode=disable`)).toMatch(/ECONNREFUSED/)
  expect(asked).toBe(2)
})

test('an unsuitable database is not in UTF8: the line that makes a good one is given', async () => {
  await server.query(
    `create database latim owner dona encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
  )
  expect(await refusal(address('dona', 'latim'))).toMatch(
    /está em LATIN1, .*CREATE DATABASE balcao OWNER "dona" ENCODING 'UTF8' TEMPLATE template0;$/,
  )
})

test('a database that is read-only is refused', async () => {
  await server.query('create database lida owner dona')
  await server.query('alter database lida set default_transaction_read_only = on')
  expect(await refusal(address('dona', 'lida'))).toContain(
    'ALTER DATABASE "lida" SET default_transaction_read_only = off;',
  )
})

test('an unsuitable database belongs to somebody else: the grants that are given are enough', async () => {
  await server.query('create database alheio')
  const line = await refusal(address('visita', 'alheio'))
  const grants = line.match(/GRANT [^;]+;/g) ?? []
  expect(grants).toEqual([
    'GRANT CREATE ON DATABASE "alheio" TO "visita";',
    'GRANT USAGE, CREATE ON SCHEMA public TO "visita";',
  ])
  for (const grant of grants) await server.query(grant, 'alheio')
  const opened = openDatabase({
    connection: await checkExternalPostgres(address('visita', 'alheio'), log),
    log,
  })
  await migrateDatabase(opened)
  await opened.close()
  // Nothing is left to create, so the rights are no longer needed.
  await server.query('revoke create on database alheio from visita')
  await checkExternalPostgres(address('visita', 'alheio'), log)
})

test('printed statements restore the owner of tables restored by a superuser', async () => {
  await server.query('create database restaurado owner dona')
  await migrateHere('restaurado')
  const history = await refusal(address('dona', 'restaurado'))
  expect(history).toMatch(/histórico do esquema é de outro dono/)
  await server.query(history.match(/ALTER [^;]+;/g)?.join(' ') ?? '', 'restaurado')
  const tables = await refusal(address('dona', 'restaurado'))
  expect(tables).toMatch(/ALTER TABLE public\."\w+" OWNER TO "dona"; \(e assim as outras \d+\)$/)
  const first = /ALTER [^;]+;/.exec(tables)?.[0] ?? ''
  const name = /"(\w+)"/.exec(first)?.[1] ?? ''
  await server.query(ourTables.map((table) => first.replace(name, table)).join(' '), 'restaurado')
  const queue = await refusal(address('dona', 'restaurado'))
  await server.query(/DROP [^;]+;/.exec(queue)?.[0] ?? '', 'restaurado')
  await checkExternalPostgres(address('dona', 'restaurado'), log)
})

test('a database with tables of another program under our names is unchanged', async () => {
  await server.query('create database outro owner dona')
  await server.query('create table users (id int); create table pedidos (id int)', 'outro')
  expect(await refusal(address('dona', 'outro'))).toMatch(
    /^O banco já tem tabelas de outro programa \(users\)/,
  )
  await expect(migrateHere('outro')).rejects.toThrow('tabelas de outro programa')
  expect(await server.query(`select 1 from pg_namespace where nspname = 'drizzle'`, 'outro')).toEqual([])
})

test('no installation begins among the tables of another program, but an old one goes on', async () => {
  await server.query('create database dividido owner dona')
  await server.query('create table pedidos (id int)', 'dividido')
  expect(await refusal(address('dona', 'dividido'))).toMatch(
    /^O banco tem tabelas de outro programa \(pedidos\): crie um banco só para o Balcão/,
  )
  await server.query('drop table pedidos', 'dividido')
  const connection = await checkExternalPostgres(address('dona', 'dividido'), log)
  const begun = openDatabase({ connection, log, poolSize: 2 })
  await migrateDatabase(begun)
  await begun.close()
  await server.query('create table pedidos (id int)', 'dividido')
  await checkExternalPostgres(address('dona', 'dividido'), log)
})

describe('the history of the schema', () => {
  const folder = folderForTests()

  /** The migrations and one of a later version. */
  function laterVersion(statement: string): string {
    cpSync(ourMigrations, folder, { recursive: true })
    const file = join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { idx: number; when: number }[] }
    const last = journal.entries.at(-1)
    journal.entries.push({
      ...last,
      idx: (last?.idx ?? 0) + 1,
      when: (last?.when ?? 0) + 1,
      tag: 'later',
    } as never)
    writeFileSync(file, JSON.stringify(journal))
    writeFileSync(join(folder, 'later.sql'), statement)
    return folder
  }

  test('a database that a newer version has used is refused, and nothing is done to it', async () => {
    await server.query('create database futuro owner dona')
    await migrateHere('futuro', laterVersion('create table of_the_future (id int)'))
    await server.query(
      'grant usage on schema drizzle to dona; grant select on all tables in schema drizzle to dona',
      'futuro',
    )
    expect(await refusal(address('dona', 'futuro'))).toMatch(
      /^Este banco foi usado por uma versão mais nova do Balcão/,
    )
    await expect(migrateHere('futuro')).rejects.toThrow('versão mais nova')
  })

  test('extensions are read from the migrations, and a missing one is named with the statement', async () => {
    const wanted = neededExtensions(
      laterVersion(`-- CREATE EXTENSION commented;
        CREATE EXTENSION IF NOT EXISTS "pg_buffercache"; create extension nao_existe;`),
    )
    expect(wanted).toEqual([...neededExtensions(), 'pg_buffercache', 'nao_existe'])
  })
})

describe('extensions', () => {
  async function faultOf(user: string, database: string, extensions: string[]): Promise<string | undefined> {
    const opened = openDatabase({
      connection: await checkExternalPostgres(address(user, database), log),
      log,
    })
    const client = await opened.pool.connect()
    try {
      const facts = await readFacts(client)
      return await rightsFault(client, facts, { isEmpty: false, isPending: false }, extensions)
    } finally {
      client.release()
      await opened.close()
    }
  }

  test('a trusted one is the owner’s to make', async () => {
    expect(await faultOf('dona', 'balcao', ['pg_trgm'])).toBeUndefined()
  })

  test('one that needs a superuser is named with the statement, and accepted once it exists', async () => {
    const line = await faultOf('dona', 'balcao', ['pg_buffercache'])
    expect(line).toBe(
      '"dona" não pode criar extensões: como superusuário, no banco "balcao", CREATE EXTENSION ' +
        '"pg_buffercache";',
    )
    await server.query(/CREATE EXTENSION .*;$/.exec(line ?? '')?.[0] ?? '', 'balcao')
    expect(await faultOf('dona', 'balcao', ['pg_buffercache'])).toBeUndefined()
  })

  test('an extension that is not on the server is reported with its package', async () => {
    expect(await faultOf('dona', 'balcao', ['nao_existe'])).toMatch(
      /faltam as extensões nao_existe: .*postgresql-contrib/,
    )
  })
})

describe('what a server says of itself', () => {
  const good: Facts = {
    version: 150_018,
    versionText: '15.18',
    encoding: 'UTF8',
    isStandby: false,
    isReadOnly: false,
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    role: 'dona',
    database: 'balcao',
    canCreateSchema: true,
    canCreateTables: true,
    timezone: 'UTC',
    statementTimeout: '30s',
    isEncrypted: true,
  }

  test.each([150_000, 160_014, 170_010, 180_004])('version %i serves without a word', (version) => {
    expect(serverFault({ ...good, version })).toBeUndefined()
    expect(serverWarnings({ ...good, version })).toEqual([])
  })

  test('an older PostgreSQL is refused, a newer one is allowed with a warning', () => {
    expect(serverFault({ ...good, version: 140_023, versionText: '14.23' })).toBe(
      'O PostgreSQL é 14.23, e o Balcão precisa do 15 ao 18: atualize o servidor.',
    )
    expect(serverFault({ ...good, version: 190_000 })).toBeUndefined()
    expect(serverWarnings({ ...good, version: 190_000 })).toHaveLength(1)
  })

  test.each([
    [{ isStandby: true, isReadOnly: true }, /réplica/],
    [{ fsync: 'off' }, /fsync/],
    [{ fullPageWrites: 'off' }, /fsync/],
    [{ encoding: 'SQL_ASCII' }, /UTF8/],
    [{ statementTimeout: '0' }, /PgBouncer/],
  ])('a PostgreSQL that reports %j is refused', (part, line) => {
    expect(serverFault({ ...good, ...part })).toMatch(line)
  })

  test('a real standby and a real server without fsync are seen as such', async () => {
    const other = await startOwnServer({ settings: { fsync: 'off' } })
    expect(await refusal(other.url('postgres', 'postgres'))).toMatch(/fsync ou full_page_writes desligado/)
    await other.stop()
    other.write('data/standby.signal', '')
    await other.start({ hot_standby: 'on' })
    expect(await refusal(other.url('postgres', 'postgres'))).toMatch(/réplica/)
    await other.close()
  })
})
