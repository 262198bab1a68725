import pg from 'pg'
import { codeOf, EmbeddedPostgresError } from './errors.ts'
import { port, superuserRole } from './settings.ts'

/** `wait`: a server is there but not ready (starting, stopping, full); `nobody`: no server listens. */
export type Answer = { kind: 'open'; client: pg.Client } | { kind: 'wait' } | { kind: 'nobody' }

/** Always exists, and no restore drops or replaces it. */
export const maintenanceDatabase = 'postgres'

/** 57P01 and 57P02: the session was ended; 57P03: starting or stopping; 53300: too many connections. */
const passingStates = ['57P01', '57P02', '57P03', '53300']

/** Connects to the socket in the folder as the superuser. The caller ends the client of an `open` answer. */
export async function tryConnect(socketFolder: string, applicationName: string): Promise<Answer> {
  const client = new pg.Client({
    host: socketFolder,
    port,
    user: superuserRole,
    database: maintenanceDatabase,
    application_name: applicationName,
    connectionTimeoutMillis: 5000,
    ssl: false,
  })
  // Without a handler a lost connection would be an uncaught exception; the 'end' event reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return { kind: 'open', client }
  } catch (error) {
    if (isServerError(error) && !passingStates.includes(error.code ?? '')) throw refused(error, socketFolder)
    if (codeOf(error) === 'EACCES') throw refused(error, socketFolder)
    const isNobody = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(codeOf(error) ?? '')
    return { kind: isNobody ? 'nobody' : 'wait' }
  }
}

/**
 * Whether the error means a lost connection, because of the server or the network, and not a failed query.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (isServerError(error)) return passingStates.includes(error.code ?? '')
  // pg's own 'Connection terminated' is a plain Error without a code; bugs in our code are TypeErrors and the
  // like.
  if (!(error instanceof Error) || error.constructor !== Error) return false
  const code = codeOf(error)
  return code === undefined || ['ECONNRESET', 'EPIPE', 'ENOENT', 'ECONNREFUSED'].includes(code)
}

/** Ends a session; one that has already ended is no failure. */
export async function endQuietly(client: pg.Client): Promise<void> {
  await client.end().catch((error: unknown) => {
    if (!isConnectionLoss(error)) throw error
  })
}

function isServerError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError
}

function refused(error: unknown, socketFolder: string): EmbeddedPostgresError {
  const isOtherUser = codeOf(error) === '28000' || codeOf(error) === 'EACCES'
  const detail = error instanceof Error ? error.message : String(error)
  return new EmbeddedPostgresError(
    isOtherUser
      ? `O banco de dados em ${socketFolder} foi iniciado por outro usuário do sistema: rode com o ` +
          'mesmo usuário ou defina DATABASE_URL'
      : `O banco de dados em ${socketFolder} recusou a conexão (${detail}): corrija isso ou defina ` +
          'DATABASE_URL',
    'failed',
    { cause: error },
  )
}
