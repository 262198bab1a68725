import { execFile } from 'node:child_process'
import {
  readdir,
  readFile,
  readlink,
  stat,
  access,
  chmod,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test, vi, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { testAtNight, spread } from '#server/testing/nightly.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { makeBench, query, serverPid } from './embedded-postgres/testing/testing.ts'
import { socketFolderFor } from './embedded-postgres/data-dir.ts'
import { copyProgram, type ProgramCopy } from './embedded-postgres/testing/program-copy.ts'

const execute = promisify(execFile)
const bench = makeBench()

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
afterAll(() => bench.clear())

describe.concurrent('the first start', () => {
  test.concurrent('the first start creates a server in which a plain role owns the database', async () => {
    const dataDir = await bench.makeDataDir()
    const server = await bench.start(dataDir)
    const rows = await query(
      server.connection,
      `select 1 as one, current_user, usesuper, usecreatedb, current_database() as db,
              pg_get_userbyid(datdba) as owner, datlocprovider as provider, datlocale as locale
         from pg_user, pg_database where usename = current_user and datname = current_database()`,
    )
    expect(rows).toEqual([
      {
        one: 1,
        current_user: 'balcao',
        usesuper: false,
        usecreatedb: false,
        db: 'balcao',
        owner: 'balcao',
        provider: 'b',
        locale: 'C.UTF-8',
      },
    ])
    for (const extension of ['pg_trgm', 'unaccent', 'btree_gin'])
      await query(server.connection, `create extension ${extension}`)
    await expect(query(server.connection, `copy (select 1) to program 'true'`)).rejects.toThrow(/permission/)
    expect(await query(server.superuser, 'show is_superuser')).toEqual([{ is_superuser: 'on' }])
    expect(server.version).toBe('18.4')
    expect(server.stop()).toBe(server.stop())
    await server.stop()
    await expect(serverPid(dataDir)).rejects.toThrow('no server')
  })

  test('the first start leaves a second start everything as it was', async () => {
    const dataDir = await bench.makeDataDir()
    const first = await bench.start(dataDir)
    await query(first.connection, 'create table kept as select 42 as answer')
    await first.stop()
    const second = await bench.start(dataDir)
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await second.stop()
  })

  test.concurrent('the first start opens no TCP port, and closes its files to others', async () => {
    const dataDir = await bench.makeDataDir()
    const server = await bench.start(dataDir)
    expect(await query(server.superuser, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    const { stdout } = await execute('sh', [
      '-c',
      `ls -l /proc/${await serverPid(dataDir)}/fd | grep -o 'socket:.*]'`,
    ])
    const tcp = await readFile(`/proc/${await serverPid(dataDir)}/net/tcp`, 'utf8')
    const inodes = [...stdout.matchAll(/\d+/g)].map(([inode]) => inode)
    expect(inodes.length).toBeGreaterThan(0)
    for (const inode of inodes) expect(tcp).not.toContain(` ${inode} `)
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    expect(await modeOf(join(dataDir, 'postgres'))).toBe('700')
    expect(await modeOf(join(dataDir, 'postgres', 'data'))).toBe('700')
    expect(await modeOf(server.connection.host)).toBe('700')
    expect(await modeOf(join(server.connection.host, '.s.PGSQL.5432'))).toBe('700')
    expect(await modeOf(join(dataDir, 'postgres', 'postgres.log'))).toBe('600')
    expect(await readFile(join(dataDir, 'postgres', 'data', 'pg_hba.conf'), 'utf8')).toBe(
      'local all all peer map=balcao\n',
    )
    await server.stop()
  })

  test.runIf(process.platform === 'linux')(
    'the first start gives the server a session of its own and none of our secrets',
    async () => {
      const dataDir = await bench.makeDataDir()
      const server = await bench.start(dataDir)
      const pid = await serverPid(dataDir)
      const [state, , , session] = (await readFile(`/proc/${pid}/stat`, 'utf8'))
        .replace(/^.*\) /, '')
        .split(' ')
      // Asleep, or just starting one of its processes.
      expect(['S', 'R', 'D']).toContain(state)
      expect(Number(session)).toBe(pid)
      const names = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((it) => it.split('=')[0])
      // The server sets variables that begin with PG itself.
      const given = names.filter((name) => name && !name.startsWith('PG'))
      expect(new Set(given)).toEqual(new Set(['LC_ALL', 'PATH', 'TZ']))
      expect(await readlink(`/proc/${pid}/fd/0`)).toBe('/dev/null')
      await server.stop()
    },
  )

  test('the first start keeps every switch of durability on unless a test asks otherwise', async () => {
    const dataDir = await bench.makeDataDir()
    const show = `select string_agg(name || '=' || setting, ' ' order by name) as settings from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums')`
    const durable = await startEmbeddedPostgres({ dataDir })
    expect(await query(durable.connection, show)).toEqual([
      { settings: 'data_checksums=on fsync=on full_page_writes=on synchronous_commit=on' },
    ])
    const settings = await query(durable.superuser, 'select name, setting from pg_settings')
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toMatchObject({
      shared_buffers: '8192',
      max_connections: '50',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_logical_replication_workers: '0',
      io_method: 'sync',
      jit: 'off',
      bgwriter_lru_maxpages: '0',
      autovacuum_naptime: '60',
      wal_writer_delay: '10000',
      min_wal_size: '32',
      max_wal_size: '512',
      client_connection_check_interval: '2000',
      wal_segment_size: '4194304',
    })
    await durable.stop()
    const quick = await bench.start(dataDir)
    expect(await query(quick.connection, show)).toEqual([
      { settings: 'data_checksums=on fsync=off full_page_writes=off synchronous_commit=off' },
    ])
    await quick.stop()
  })
})

describe.concurrent('one program a folder', () => {
  test.concurrent('a second program is refused with the name, pid and host of the first', async () => {
    const dataDir = await bench.makeDataDir()
    const first = await bench.start(dataDir, { program: 'balcao-servidor' })
    const second = await bench.startProgram(dataDir).next('started', 'error')
    expect(second).toMatchObject({ event: 'error', reason: 'in_use' })
    expect(second.message).toContain(`balcao-servidor, processo ${process.pid}, máquina ${hostname()}`)
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.stop()
  })

  testAtNight('a second program that comes while the first is stopping takes over', async () => {
    const dataDir = await bench.makeDataDir()
    // From before the second one comes: on a busy machine it would otherwise find one that works.
    let isLeaving = false
    const first = await bench.start(dataDir, { stopRequested: () => isLeaving })
    isLeaving = true
    const second = bench.startProgram(dataDir)
    await second.next('running')
    await first.stop()
    expect((await second.next('started', 'error')).event).toBe('started')
    await second.stop()
  })

  testAtNight('a holder that was asked to stop is waited for longer than one that works', async () => {
    const dataDir = await bench.makeDataDir()
    let isLeaving = false
    const first = await bench.start(dataDir, { stopRequested: () => isLeaving })
    await expect(bench.start(dataDir)).rejects.toMatchObject({ reason: 'in_use' })
    isLeaving = true
    // Longer than the wait for an active holder, as while requests in progress end.
    const leaving = sleep(1500).then(() => first.stop())
    const second = await bench.start(dataDir)
    await leaving
    expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await second.stop()
  })

  testAtNight.each([
    ['in an empty folder', false],
    ['beside the server of a killed program', true],
  ])('of six parallel starts %s one wins, and the others name it', async (_where, isBeside) => {
    const dataDir = await bench.makeDataDir()
    if (isBeside) {
      const killed = bench.startProgram(dataDir)
      await killed.next('started')
      await killed.kill('SIGKILL')
    }
    const programs = Array.from({ length: 6 }, () => bench.startProgram(dataDir))
    const results = await Promise.all(programs.map((program) => program.next('started', 'error')))
    const [winner, ...others] = programs.filter((_, index) => results[index]?.event === 'started')
    expect(others).toEqual([])
    for (const { event, message } of results)
      if (event === 'error') expect(message).toContain(`processo ${winner?.pid},`)
    await winner?.stop()
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['data', 'postgres.log', 'run'])
  })

  testAtNight('a command uses a running server without the lock and leaves it running', async () => {
    const dataDir = await bench.makeDataDir()
    const server = await bench.start(dataDir)
    const command = await bench.start(dataDir, { attachOnly: true, program: 'balcao-admin' })
    expect(await query(command.connection, 'select current_user')).toEqual([{ current_user: 'balcao' }])
    await command.stop()
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  testAtNight('a command without a server starts it for itself and stops it afterwards', async () => {
    const dataDir = await bench.makeDataDir()
    const command = await bench.start(dataDir, { attachOnly: true })
    expect(await query(command.connection, 'select current_user')).toEqual([{ current_user: 'balcao' }])
    await command.stop()
    await expect(serverPid(dataDir)).rejects.toThrow('no server')
  })
})

testAtNight('a request to stop during the start leaves no server behind', async () => {
  const dataDir = await bench.makeDataDir()
  for (let questions = 0; questions < 7; questions += 1) {
    let asked = 0
    const outcome = await bench
      .start(dataDir, { stopRequested: () => (asked += 1) > questions })
      .then((server) => server.stop())
      .catch((error: unknown) => error)
    if (outcome) expect(outcome).toMatchObject({ reason: 'stopped' })
    await expect(serverPid(dataDir)).rejects.toThrow('no server')
  }
})

test('SIGTERM, even twice, ends a first start and a running program with code 0', async () => {
  const dataDir = await bench.makeDataDir()
  const starting = bench.startProgram(dataDir)
  await starting.next('running')
  starting.signal('SIGTERM')
  starting.signal('SIGTERM')
  expect(await starting.ended).toBe(0)
  await expect(serverPid(dataDir)).rejects.toThrow('no server')
  const running = bench.startProgram(dataDir)
  await running.next('started')
  running.signal('SIGTERM')
  running.signal('SIGTERM')
  expect(await running.ended).toBe(0)
  await expect(serverPid(dataDir)).rejects.toThrow('no server')
})

const isRoot = process.getuid?.() === 0
const nobody = 65_534

type Options = Parameters<typeof bench.start>[1]

async function expectService(dataDir: string, options: Options = {}): Promise<string> {
  const server = await bench.start(dataDir, options)
  expect(dirname(server.connection.host)).toSatisfy((parent) => [server.home, tmpdir()].includes(parent))
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  return server.connection.host
}

test.for(spread([`Meus Dados`, `atenção é "aspas" 'simples'`, `a, b; $HOME \\ % # (x) & *`], 1))(
  'PostgreSQL runs in a data folder called %s',
  async (name) => {
    const dataDir = await bench.makeDataDir(name)
    expect(await expectService(dataDir)).toBe(join(await realpath(dataDir), 'postgres', 'run'))
  },
)

testAtNight(
  'a path too long for a socket has its socket in a private folder in the temporary folder',
  async () => {
    const dataDir = await bench.makeDataDir(`${'comprido-'.repeat(12)}fim`)
    const logs: string[] = []
    const server = await bench.start(dataDir, { log: (line) => logs.push(line.msg) })
    expect(dirname(server.connection.host)).toBe(tmpdir())
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700)
    expect(logs.join('\n')).toContain('containers on one volume are not protected from each other')
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    await rm(server.connection.host, { recursive: true })
  },
)

test('a socket folder that others can read is closed, one that they can write is refused', async () => {
  const dataDir = await bench.makeDataDir(`${'comprido-'.repeat(12)}fim`)
  const folder = socketFolderFor(join(await realpath(dataDir), 'postgres'), 'balcao')
  await mkdir(folder)
  try {
    await chmod(folder, 0o755)
    await expectService(dataDir)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    await chmod(folder, 0o777)
    await expect(bench.start(dataDir)).rejects.toThrow('deveria ser só da conta')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a link instead of the private folder is refused, and its target left alone', async () => {
  const dataDir = await bench.makeDataDir()
  const elsewhere = join(dirname(dataDir), 'elsewhere')
  await mkdir(elsewhere, { mode: 0o755 })
  await symlink(elsewhere, join(dataDir, 'postgres'))
  await expect(bench.start(dataDir)).rejects.toThrow(/deveria ser só da conta .* defina DATABASE_URL$/)
  expect((await stat(elsewhere)).mode & 0o777).toBe(0o755)
})

describe('as root', () => {
  let folder = ''
  let copy: ProgramCopy
  beforeAll(async () => {
    if (!isRoot) return
    // Other accounts may not be able to read the checkout.
    folder = await mkdtemp(join(tmpdir(), 'balcao-copy-'))
    copy = await copyProgram(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  beforeEach((context) => context.skip(!isRoot, 'needs root'))

  testAtNight('a data folder that is the system folder itself is used as it is', async () => {
    const name = `balcaosistema${process.pid}`
    const dataDir = join('/var/lib', name)
    await mkdir(dataDir, { mode: 0o711 })
    try {
      expect(await expectService(dataDir, { name })).toBe(join(dataDir, 'postgres', 'run'))
      expect((await stat(dataDir)).mode & 0o777).toBe(0o711)
      await expect(access(join(dataDir, 'ONDE-ESTA-O-BANCO.txt'))).rejects.toThrow('ENOENT')
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('a folder that its account cannot reach has its database in /var/lib, and a note', async () => {
    const name = `balcaoteste${process.pid}`
    const systemFolder = join('/var/lib', name)
    const dataDir = await bench.makeDataDir()
    await chmod(dataDir, 0o700)
    const logs: string[] = []
    try {
      const host = await expectService(dataDir, { name, log: (line) => logs.push(line.msg) })
      expect(logs.join('\n')).toContain(`the database is in ${dirname(host)}, outside that folder`)
      expect(dirname(dirname(host))).toBe(systemFolder)
      bench.alsoStop(dirname(host))
      expect((await stat(systemFolder)).mode & 0o777).toBe(0o755)
      expect((await stat(dirname(host))).mode & 0o777).toBe(0o700)
      expect(await readFile(join(dataDir, 'ONDE-ESTA-O-BANCO.txt'), 'utf8')).toContain(dirname(host))

      // The folder becomes reachable: no second, empty database may appear.
      await chmod(dataDir, 0o755)
      expect(await expectService(dataDir, { name })).toBe(host)

      await rename(dataDir, `${dataDir}-moved`)
      await expect(bench.start(`${dataDir}-moved`, { name })).rejects.toThrow('foi movida ou copiada')
    } finally {
      await rm(systemFolder, { recursive: true, force: true })
    }
  })

  testAtNight('a database in the folder that went out of reach is not replaced by an empty one', async () => {
    const dataDir = await bench.makeDataDir()
    await expectService(dataDir)
    await chmod(dataDir, 0o700)
    await expect(bench.start(dataDir)).rejects.toThrow('não alcança o banco de dados')
    await chmod(dataDir, 0o755)
    await expectService(dataDir)
  })

  testAtNight('the database of a normal user keeps its owner, and stays open to that user', async () => {
    const dataDir = await bench.makeDataDir('d', nobody)
    const program = bench.startProgram(dataDir, {}, { uid: nobody, copy })
    const { connection } = await program.next('started')
    // We are root and not the program's user, and peer authentication admits nobody else.
    await expect(query(connection!, 'select 1')).rejects.toThrow(/peer authentication failed/i)
    await program.stop()
    await expectService(dataDir)
    expect((await stat(join(dataDir, 'postgres', 'data'))).uid).toBe(nobody)
    const again = bench.startProgram(dataDir, {}, { uid: nobody, copy })
    expect((await again.next('started', 'error')).event).toBe('started')
    await again.stop()
  })

  test('an account without a line in /etc/passwd is refused in clear words', async () => {
    const dataDir = await bench.makeDataDir('d', 4242)
    const event = await bench.startProgram(dataDir, {}, { uid: 4242, copy }).next('started', 'error')
    expect(event.message).toMatch(/4242 não tem linha em \/etc\/passwd.*DATABASE_URL$/)
  })

  /** A folder on a disk of its own. */
  async function mounted(options: string): Promise<string | undefined> {
    const dataDir = await bench.makeDataDir()
    const isMounted = await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dataDir]).catch(
      () => false,
    )
    if (!isMounted) return undefined
    onTestFinished(async () => void (await execute('umount', ['--lazy', dataDir])))
    return dataDir
  }

  test.for([
    ['read-only', 'ro', /defina DATABASE_URL$/],
    ['full', 'size=12m,mode=755', /No space left[^\n]*defina DATABASE_URL$/],
  ] as const)('a disk that is %s is refused in one line, and nothing half stays', async (each, { skip }) => {
    const [, options, words] = each
    const dataDir = await mounted(options)
    if (dataDir === undefined) return skip('needs mount')
    const { message = '' } = await bench.startProgram(dataDir).next('started', 'error')
    expect(message).toMatch(words)
    expect(message).not.toContain('\n')
    expect(await readdir(join(dataDir, 'postgres')).catch(() => ['run'])).toEqual(['run'])
  })
})
