import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { findPackage, readyBinaries } from '#server/platform/embedded-postgres/binaries.ts'
import { findDataDir } from '#server/platform/embedded-postgres/data-dir.ts'
import { run } from '#server/platform/embedded-postgres/run.ts'
import { StartRefused } from '#server/platform/start-refused.ts'
import { freePort } from './free-port.ts'

/**
 * A PostgreSQL server like an administrator's, beside the one of the tests: in memory, on a socket and a
 * port.
 */
export interface OwnServer {
  /** Folder of the socket and of the files that `write` creates. */
  folder: string
  port: number
  /** `postgres://user@127.0.0.1:port/database?query` */
  url(user: string, database: string, query?: string): string
  /** Runs a statement as the superuser, through the socket. */
  query<Row extends pg.QueryResultRow>(statement: string, database?: string): Promise<Row[]>
  /** Writes a file that belongs to the server's account and is closed to others; returns its path. */
  write(name: string, text: string): string
  /** Reloads the server's configuration files; resolves once they are in effect. */
  reload(): Promise<void>
  start(settings?: Record<string, string>): Promise<void>
  /** `fast` aborts all transactions, `immediate` is a crash. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** What the server has logged so far. */
  readLog(): string
  close(): Promise<void>
}

export interface OwnServerOptions {
  /** Folder of `postgres` and `initdb`; by default TEST_POSTGRES_BIN or the embedded ones. */
  bin?: string
  /** Parent of the server's folder; in memory by default. */
  under?: string
  /** Lines of pg_hba.conf; by default everybody is let in. */
  hba?: string[]
  settings?: Record<string, string>
  /** The environment of the server itself, beside the usual. */
  env?: Record<string, string>
}

export async function startOwnServer(options: OwnServerOptions = {}): Promise<OwnServer> {
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const folder = mkdtempSync(join(options.under ?? memory, 'balcao-own-'))
  chmodSync(folder, 0o755)
  const place = await findDataDir(folder, 'balcao')
  const bin = options.bin ?? process.env['TEST_POSTGRES_BIN'] ?? (await embeddedBin(place))
  const { account } = place
  if (account.isOther) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const must = async (program: string, ...args: string[]) => {
    const { code, output } = await run(account, resolve(bin, program), args)
    if (code !== 0) throw new Error(`${program}: ${output}`)
  }
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (account.isOther) chownSync(file, account.uid, account.gid)
    return file
  }
  const start = async (settings = options.settings ?? {}) => {
    const all = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: folder,
      max_connections: '200',
      shared_buffers: '64MB',
      jit: 'off',
      // As an administrator may have set it: what the product acknowledges must not depend on it.
      synchronous_commit: 'off',
      ...settings,
    }
    const flags = Object.entries(all).map(([key, value]) => `-c ${key}='${value}'`)
    const env = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`)
    const args = ['-D', data, '-w', '-l', join(folder, 'log'), '-o', flags.join(' '), 'start']
    await must('/usr/bin/env', ...env, join(bin, 'pg_ctl'), ...args)
  }
  const stop = (mode = 'fast') => must('pg_ctl', '-D', data, '-w', '-m', mode, 'stop')
  const manner = ['-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  await must('initdb', '-D', data, ...manner)
  if (options.hba) writeFileSync(join(data, 'pg_hba.conf'), options.hba.map((line) => `${line}\n`).join(''))
  await start()
  const query = async <Row extends pg.QueryResultRow>(statement: string, database = 'postgres') => {
    const client = new pg.Client({ host: folder, port, user: 'postgres', database, ssl: false })
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }
  /** A new session has the configuration that was loaded when it began. */
  const loadTime = async () => (await query<{ at: string }>('select pg_conf_load_time()::text as at'))[0]?.at
  return {
    folder,
    port,
    url: (user, database, query = '') => `postgres://${user}@127.0.0.1:${port}/${database}${query}`,
    query,
    async reload() {
      const before = await loadTime()
      await query('select pg_reload_conf()')
      while ((await loadTime()) === before) await setImmediate()
    },
    write,
    start,
    stop,
    readLog: () => readFileSync(join(folder, 'log'), 'utf8'),
    async close() {
      if (existsSync(join(data, 'postmaster.pid'))) await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function embeddedBin(place: Awaited<ReturnType<typeof findDataDir>>): Promise<string> {
  const { postgres } = await readyBinaries(await findPackage(), place)
  return dirname(postgres)
}

/** The line with which a start is refused. @throws when it is not */
export async function startRefusal(start: () => Promise<unknown>): Promise<string> {
  const error = await start().catch((reason: unknown) => reason)
  if (!(error instanceof StartRefused) || error.message.includes('\n'))
    throw new Error(`not refused in one line: ${String(error)}`)
  return error.message
}
