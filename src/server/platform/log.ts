import pino from 'pino'

export type Log = pino.Logger

/**
 * JSON lines in UTC. Secrets are redacted by path; message texts are never logged at all.
 * @param level pino's level; 'silent' for tests
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: { app: 'balcao' },
    timestamp: pino.stdTimeFunctions.isoTime,
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
  })
}
