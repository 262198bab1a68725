import { createInterface } from 'node:readline'
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../embedded-postgres.ts'

// A separate program for the tests. It starts the database with the options given as JSON, reports events as
// JSON lines, and stops at the input line 'stop'.
const writeEvent = (event: object): void => {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

let hasSignal = false
const signalled = new Promise<void>((resolve) => {
  process.on('SIGTERM', () => {
    hasSignal = true
    resolve()
  })
})

async function untilStopLine(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) if (line === 'stop') return
}

try {
  const options = JSON.parse(process.argv[2] ?? '{}')
  const logs: string[] = []
  writeEvent({ event: 'running' })
  const server = await startEmbeddedPostgres({
    ...options,
    log: (line) => logs.push(`${line.level}: ${line.msg}`),
    stopRequested: () => hasSignal,
  })
  server.onLost((reason) => writeEvent({ event: 'lost', reason }))
  writeEvent({ event: 'started', connection: server.connection, superuser: server.superuser, logs })
  await Promise.race([untilStopLine(), signalled])
  await server.stop()
  writeEvent({ event: 'stopped' })
  process.exit(0)
} catch (error) {
  const isClear = error instanceof EmbeddedPostgresError
  writeEvent({ event: 'error', reason: isClear ? error.reason : 'unclear', message: String(error) })
  process.exit(isClear && error.reason === 'stopped' ? 0 : 1)
}
