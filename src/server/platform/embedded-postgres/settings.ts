export const port = 5432
export const superuserRole = 'postgres'

/** The settings that make acknowledged commits durable are on except in tests. */
const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The product has one program; the tests have several with connections of their own.
  max_connections: '200',
}

const durableSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Nothing waits for the WAL writer while commits are synchronous; with synchronous_commit off, up to 10 s
  // of commits could be lost.
  wal_writer_delay: '10s',
}

const common = {
  listen_addresses: '',
  port: String(port),
  unix_socket_permissions: '0700',
  shared_buffers: '64MB',
  max_connections: '50',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  jit: 'off',
  bgwriter_lru_maxpages: '0',
  autovacuum_naptime: '1min',
  min_wal_size: '32MB',
  max_wal_size: '512MB',
  // Ends the statements of a dead program, which would keep its locks.
  client_connection_check_interval: '2s',
  log_line_prefix: '%m [%p] ',
}

/**
 * The server's command line. Settings are passed here and not in a file, so that each release brings its own.
 * `dataFolder` and `socketFolder` are absolute paths.
 */
export function serverArguments(options: {
  dataFolder: string
  socketFolder: string
  isDurable: boolean
}): string[] {
  const settings = {
    ...common,
    ...(options.isDurable ? durableSettings : testSettings),
    unix_socket_directories: quoteListItem(options.socketFolder),
  }
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  return ['-D', options.dataFolder, ...flags]
}

/**
 * The only line of pg_hba.conf. With peer authentication the kernel identifies the user at the other end of
 * the socket; `trust` is never used.
 */
export function hbaFile(mapName: string): string {
  return `local all all peer map=${mapName}\n`
}

/** pg_ident.conf: only the program's own system user may connect, as one of our two roles. */
export function identFile(mapName: string, programUser: string, roles: string[]): string {
  const user = `"${programUser.replaceAll('"', '""')}"`
  return roles.map((role) => `${mapName} ${user} "${role}"\n`).join('')
}

// The value is a comma-separated list: without quotes a comma in the path would split it.
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
