import { tmpdir } from 'node:os'
import pg from 'pg'
import { startOwnServer } from '#server/testing/servers/own-server.ts'

/** The PostgreSQL server with a database each for the floor and the product. */
export interface Cluster {
  /**
   * The address by the socket file if the server was started here, as the product connects to its embedded
   * one.
   */
  url(database: string): string
  /** Drops the database, if it exists, and creates it, empty or as a copy of one that nobody uses. */
  create(database: string, from?: string): Promise<void>
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
  const server = await startOwnServer({
    under: tmpdir(),
    settings: { ...settings, ...statistics, listen_addresses: '' },
  })
  const place = `host=${encodeURIComponent(server.folder)}&port=${server.port}`
  return clusterAt(`postgres://postgres@localhost/postgres?${place}`, () => server.close())
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
    async create(database, from = 'template0') {
      made.push(database)
      await run(
        `drop database if exists ${database} with (force)`,
        `create database ${database} encoding 'UTF8' template ${from}`,
      )
    },
    async close() {
      await run(...made.map((database) => `drop database if exists ${database} with (force)`))
      await close()
    },
  }
}
