import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { testAtNight } from '#server/testing/nightly.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { makeBench, query, serverPid } from './embedded-postgres/testing/testing.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const execute = promisify(execFile)
const bench = makeBench()
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

  testAtNight('of six parallel starts beside the server of a killed program one wins', async () => {
    const dataDir = await bench.makeDataDir()
    const killed = bench.startProgram(dataDir)
    await killed.next('started')
    await killed.kill('SIGKILL')
    const programs = Array.from({ length: 6 }, () => bench.startProgram(dataDir))
    const results = await Promise.all(programs.map((program) => program.next('started', 'error')))
    const winners = programs.filter((_, index) => results[index]?.event === 'started')
    expect(winners).toHaveLength(1)
    for (const { event, message } of results)
      if (event === 'error') expect(message).toContain(`processo ${winners[0]?.pid},`)
    await winners[0]?.stop()
  })

  testAtNight('of six parallel starts in an empty folder one wins, and the others name it', async () => {
    const dataDir = await bench.makeDataDir()
    const programs = Array.from({ length: 6 }, () => bench.startProgram(dataDir))
    const results = await Promise.all(programs.map((program) => program.next('started', 'error')))
    const winner = results.findIndex((result) => result.event === 'started')
    const losers = results.filter((_, index) => index !== winner)
    for (const loser of losers) expect(loser.message).toContain(`processo ${programs[winner]?.pid},`)
    await programs[winner]?.stop()
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
