import pino from 'pino'

export type Log = pino.Logger

/**
 * Writes JSON lines with times in UTC. Secrets are redacted by path; message texts are never logged.
 * @param level pino's level; 'silent' for tests
 * @param to destination of the lines; default standard output
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
        '*.apiToken',
        '*.helpKey',
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
  /** The failed statement, without its values, which are personal data. */
  statement?: string
  constraint?: string
}

/** Serializes an error without the query builder's message, which contains all values of the statement. */
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
