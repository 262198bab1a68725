import pino from 'pino'

export type Log = pino.Logger

/**
 * JSON lines in UTC. Secrets are redacted by path; message texts are never logged at all.
 * @param level pino's level; 'silent' for tests
 * @param to where the lines go; absent: standard output
 */
export function createLog(level: string, to?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: { app: 'balcao' },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      paths: [
        'req.headers.authorization',
        'req.headers.cookie',
        'req.headers.apikey',
        'headers.authorization',
        'headers.cookie',
        'headers.apikey',
        '*.password',
        '*.token',
        '*.apiKey',
        '*.apikey',
      ],
      censor: '[oculto]',
    },
  }
  return to ? pino(options, to) : pino(options)
}

interface ErrorLine {
  type: string
  code?: string
  message: string
  stack: string
  /** Of a statement that failed; without its values, which are people's words and numbers. */
  statement?: string
  constraint?: string
}

/** An error for the log: what the query builder puts into its message (every value of the statement) stays out. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { query, cause, code, constraint } = error as Error &
    Record<'query' | 'cause' | 'code' | 'constraint', unknown>
  const isQuery = typeof query === 'string'
  const inner = isQuery && cause instanceof Error ? (describeError(cause) as ErrorLine) : undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    ...(inner?.code && { code: inner.code }),
    message: isQuery ? (inner?.message ?? 'query failed') : error.message,
    ...(isQuery && { statement: query }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(inner?.constraint && { constraint: inner.constraint }),
    stack: frames.join('\n'),
  } satisfies ErrorLine
}
