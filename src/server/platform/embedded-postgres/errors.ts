/** `in_use`: another program holds the folder; `stopped`: the caller asked to stop during the start. */
type EmbeddedPostgresReason = 'failed' | 'in_use' | 'stopped'

/**
 * The embedded database is not available. The message is one clear line in Portuguese for the administrator.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly reason: EmbeddedPostgresReason

  constructor(message: string, reason: EmbeddedPostgresReason = 'failed', options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The code of a system error (`'ENOENT'`) or a database error (SQLSTATE); undefined when there is none. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/**
 * Turns any error into one line: an EmbeddedPostgresError stays unchanged, others are wrapped as its cause.
 */
export function asEmbeddedPostgresError(error: unknown, dataDir: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error
  const detail = error instanceof Error ? error.message : String(error)
  const line = detail.split('\n')[0]?.replace(/[.:]\s*$/, '') ?? ''
  return new EmbeddedPostgresError(
    `Não foi possível iniciar o banco de dados embutido em ${dataDir} (${line}): corrija isso ou ` +
      'defina DATABASE_URL',
    'failed',
    { cause: error },
  )
}
