import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { findPackage, readyBinaries } from '#server/platform/embedded-postgres/binaries.ts'
import { findDataDir } from '#server/platform/embedded-postgres/data-dir.ts'
import { run } from '#server/platform/embedded-postgres/run.ts'
import { freePort } from '#server/testing/servers/free-port.ts'

/** The PostgreSQL server with a database each for the floor and the product. */
export interface Cluster {
  /**
   * The address by the socket file if the server was started here, as the product connects to its embedded
   * one.
   */
  url(database: string): string
  /** Drops the database, if it exists, and creates it. */
  create(database: string): Promise<void>
  close(): Promise<void>
}

/** As in the product's embedded server, with commits that reach the disk. */
const settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  jit: 'off',
}

/** Measures each statement, with planning separately; the overhead is the same for product and floor. */
const statistics = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
}

/**
 * @param given the superuser's address on a running server; by default one is started, with its data on disk
 */
export async function openCluster(given: string | undefined): Promise<Cluster> {
  return given ? clusterAt(given, () => Promise.resolve()) : startCluster()
}

async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-bench-'))
  chmodSync(folder, 0o711)
  const place = await findDataDir(folder, 'balcao')
  const { account } = place
  if (account.isOther) chownSync(folder, account.uid, account.gid)
  const bin = dirname((await readyBinaries(await findPackage(), place)).postgres)
  const data = join(folder, 'data')
  const must = async (program: string, ...args: string[]) => {
    const { code, output } = await run(account, join(bin, program), args)
    if (code !== 0) throw new Error(`${program}: ${output}`)
  }
  const port = await freePort()
  const all = {
    ...settings,
    ...statistics,
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: folder,
  }
  const flags = Object.entries(all).map(([key, value]) => `-c ${key}='${value}'`)
  await must('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8')
  await must('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', flags.join(' '), 'start')
  const address = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}&port=${port}`
  return clusterAt(address, async () => {
    if (existsSync(join(data, 'postmaster.pid')))
      await must('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop')
    rmSync(folder, { recursive: true, force: true })
  })
}

function clusterAt(address: string, close: () => Promise<void>): Cluster {
  const made: string[] = []
  const url = (database: string) => {
    const at = new URL(address)
    at.pathname = `/${database}`
    return at.href
  }
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  return {
    url,
    async create(database) {
      made.push(database)
      await run(
        `drop database if exists ${database} with (force)`,
        `create database ${database} encoding 'UTF8' template template0`,
      )
    },
    async close() {
      await run(...made.map((database) => `drop database if exists ${database} with (force)`))
      await close()
    },
  }
}
