import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { copyProgram } from '#server/platform/embedded-postgres/testing/program-copy.ts'
import { query, serverPid } from '#server/platform/embedded-postgres/testing/testing.ts'
import { type Case, type CaseEnvironment, real, refusal, textOf, timed } from '../case.ts'
import { nobody } from './places.ts'
import { descendantsOf, processRow } from '../../support/processes.ts'

const execute = promisify(execFile)

const expected = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  data_checksums: 'on',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '8192',
  max_connections: '50',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  jit: 'off',
  bgwriter_lru_maxpages: '0',
  wal_writer_delay: '10000',
  autovacuum_naptime: '60',
  min_wal_size: '32',
  max_wal_size: '512',
  client_connection_check_interval: '2000',
  wal_segment_size: '4194304',
}

async function hasSettings(at: CaseEnvironment): Promise<string> {
  const server = await at.start(await at.makeDataDir(), real)
  const rows = await query(server.superuser, 'select name, setting from pg_settings')
  const found = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  for (const [name, value] of Object.entries(expected)) assert.equal(found[name], value, name)
  return `${Object.keys(expected).length} settings`
}

async function listensNowhere(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  const server = await at.start(dataDir, real)
  const pid = await serverPid(dataDir)
  const tcp = (await textOf('/proc', String(pid), 'net', 'tcp')) ?? ''
  const tcp6 = (await textOf('/proc', String(pid), 'net', 'tcp6')) ?? ''
  const pids = [pid, ...(await descendantsOf(pid))]
  let sockets = 0
  for (const each of pids)
    for (const fd of await readdir(`/proc/${each}/fd`).catch(() => [])) {
      const inode = /^socket:\[(\d+)\]$/.exec(await readlink(`/proc/${each}/fd/${fd}`).catch(() => ''))?.[1]
      if (inode === undefined) continue
      sockets += 1
      assert.ok(!`${tcp}${tcp6}`.includes(` ${inode} `), `process ${each} has a TCP socket`)
    }
  assert.ok(sockets > 0)
  const home = join(dataDir, 'postgres')
  for (const path of [home, join(home, 'data'), join(home, 'run'), join(home, 'run', '.s.PGSQL.5432')])
    assert.equal((await stat(path)).mode & 0o777, 0o700, path)
  assert.equal((await stat(join(home, 'postgres.log'))).mode & 0o777, 0o600)
  await server.stop()
  return `${pids.length} processes, ${sockets} sockets, no TCP`
}

async function isOfItsOwn(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  process.env['BALCAO_VIDA_SEGREDO'] = 'segredo'
  const server = await at.start(dataDir, real)
  const pid = await serverPid(dataDir)
  const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
    .split('\0')
    .map((entry) => entry.split('=')[0])
    .filter((name) => name && !name.startsWith('PG'))
  assert.deepEqual(new Set(names), new Set(['LC_ALL', 'PATH', 'TZ']))
  assert.equal((await processRow(pid))?.session, pid)
  assert.equal(await readlink(`/proc/${pid}/fd/0`), '/dev/null')
  await server.stop()
  return `session of its own, environment ${names.join(' ')}`
}

async function refusesOtherAccount(at: CaseEnvironment): Promise<string> {
  const folder = await at.makeDataDir()
  const copy = await copyProgram(join(dirname(folder), 'programa'))
  const dataDir = await at.makeDataDir('d', nobody)
  const program = at.startProgram(dataDir, real, { uid: nobody, copy })
  const { connection, superuser } = await program.next('started')
  // Root has access to every folder, so the server itself must refuse.
  for (const each of [connection, superuser])
    await assert.rejects(query(each!, 'select 1'), /peer authentication failed/i)
  await program.stop()
  const own = await at.start(folder, real)
  const listing = execute('ls', [own.connection.host], { uid: nobody, gid: nobody })
  await assert.rejects(listing, /Permission denied/)
  await own.stop()
  return 'pelo mapa do servidor e pela pasta 0700'
}

/** Every path below a folder with its properties, so that any change shows. */
async function fingerprint(folder: string): Promise<string[]> {
  const lines: string[] = []
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    const path = join(folder, name)
    const { mode, uid, size, mtimeMs, ctimeMs } = await lstat(path)
    const isFile = (mode & 0o170000) === 0o100000
    const hash = isFile
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      : ''
    lines.push([name, mode, uid, size, mtimeMs, ctimeMs, hash].join(' '))
  }
  return lines
}

async function refusesOtherMajor(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  await (await at.start(dataDir, real)).stop()
  await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '17\n')
  const before = await fingerprint(dataDir)
  for (const options of [real, { ...real, attachOnly: true }]) {
    const { value } = await timed(() => refusal(at.start(dataDir, options)))
    assert.match(value, /^[^\n]*PostgreSQL 17 [^\n]*usa o 18; nada foi alterado\.[^\n]*DATABASE_URL$/)
  }
  assert.deepEqual(await fingerprint(dataDir), before)
  return `${before.length} files untouched`
}

async function keepsLinksOut(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  await (await at.start(dataDir, real)).stop()
  const home = join(dataDir, 'postgres')
  const victim = join(dirname(dataDir), 'de-outro')
  await writeFile(victim, 'intacto')
  await writeFile(join(home, 'postgres.log'), 'x'.repeat(11 * 1024 * 1024))
  await symlink(victim, join(home, 'postgres.log.1'))
  await (await at.start(dataDir, real)).stop()
  assert.equal(await readFile(victim, 'utf8'), 'intacto')
  assert.equal((await stat(join(home, 'postgres.log.1'))).size, 11 * 1024 * 1024)
  assert.ok((await stat(join(home, 'postgres.log'))).size < 100_000)
  return 'registro de 11 MB trocado, o arquivo alheio intacto'
}

async function refusesOpenSocketFolder(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  await (await at.start(dataDir, real)).stop()
  const run = join(dataDir, 'postgres', 'run')
  await chmod(run, 0o777)
  assert.match(await refusal(at.start(dataDir, real)), /deveria ser só da conta .*DATABASE_URL$/)
  await chmod(run, 0o700)
  const other = await at.makeDataDir()
  await mkdir(join(other, 'alheia'))
  await symlink(join(other, 'alheia'), join(other, 'postgres'))
  assert.match(await refusal(at.start(other, real)), /deveria ser só da conta .*DATABASE_URL$/)
  return 'aberta a outros, e link no lugar da pasta'
}

export const guardCases: Case[] = [
  { name: 'guard: settings of a normal start (fsync and the others on)', run: hasSettings },
  { name: 'guard: no TCP, folders and socket 0700, log 0600', run: listensNowhere },
  { name: 'guard: session of its own and reduced environment', run: isOfItsOwn },
  { name: 'guard: another account of the machine is refused', needsRoot: true, run: refusesOtherAccount },
  { name: 'guard: a folder made by PostgreSQL 17 is left untouched', run: refusesOtherMajor },
  { name: 'guard: log rotated at 10 MB without following links', run: keepsLinksOut },
  { name: 'guard: socket folder open or replaced by a link', run: refusesOpenSocketFolder },
]
