import type { Database, DatabaseOptions } from './db.ts'

/** How a database was opened, as data alone, so that a thread can open it as well. */
export interface DatabaseData extends Pick<DatabaseOptions, 'connection' | 'clockOffset'> {
  /** The name in the server's certificate is not compared: the one function among the options. */
  isAnyName: boolean
}

export function toDatabaseData({ opened }: Database): DatabaseData {
  const { connection, clockOffset } = opened
  const { ssl } = connection
  const common = { ...(clockOffset !== undefined && { clockOffset }) }
  if (!ssl || ssl === true) return { connection, isAnyName: false, ...common }
  // The driver hides the key from whoever copies the options.
  const { checkServerIdentity, ...rest } = { ...ssl, ...(ssl.key && { key: ssl.key }) }
  return {
    connection: { ...connection, ssl: rest },
    isAnyName: checkServerIdentity !== undefined,
    ...common,
  }
}

export function fromDatabaseData({
  connection,
  isAnyName,
  ...common
}: DatabaseData): Pick<DatabaseOptions, 'connection' | 'clockOffset'> {
  const { ssl } = connection
  if (!isAnyName || typeof ssl !== 'object') return { connection, ...common }
  return { connection: { ...connection, ssl: { ...ssl, checkServerIdentity: () => undefined } }, ...common }
}
