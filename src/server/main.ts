import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { startApp } from './app.ts'
import { StartRefused } from './installation.ts'
import { openConfiguredDatabase } from './open-database.ts'
import { type Config, ConfigError, readConfig, variableNames } from './platform/config.ts'
import { makeDataFolder } from './platform/data-folder.ts'
import type { Database } from '#server/platform/database/db.ts'
import { EmbeddedPostgresError } from './platform/embedded-postgres.ts'
import { armFailpoints } from './platform/failpoints.ts'
import { JobInterrupted } from './platform/jobs/job-definition.ts'
import { createLog, type Log } from './platform/log.ts'
import { boundHeap, returnMemory } from './platform/memory.ts'
import { tryAddress } from './platform/start-refused.ts'
import { strangeVariables } from './platform/strange-variables.ts'
import { ensureFirstAdmin } from './users/users.ts'
import { version } from '#shared/version.ts'

/** Built before: scripts/balcao.mjs. */
const webDir = join(import.meta.dirname, '..', '..', 'dist', 'web')

/** What was started, in order; it is stopped in reverse. */
const running: (() => Promise<void>)[] = []
let isStopping = false
let hasBooted = false

const print = (line: string) => process.stdout.write(`${line}\n`)

/** A signal during the start takes effect when the current step has ended. */
class Stopped extends Error {}
async function step<T>(work: () => Promise<T>): Promise<T> {
  if (isStopping) throw new Stopped()
  const result = await work()
  if (isStopping) throw new Stopped()
  return result
}

async function stopAll(code: number): Promise<never> {
  while (running.length > 0) await running.pop()?.()
  process.exit(code)
}

function onSignal(): void {
  // A second signal has no effect: work in progress ends first, then the database.
  if (isStopping) return
  isStopping = true
  print('\nEncerrando: o que está em andamento termina primeiro.')
  if (hasBooted) void stopAll(0)
}

async function openDatabaseOf(config: Config, log: Log): Promise<Database> {
  const { database, close } = await openConfiguredDatabase(config, log, {
    stopRequested: () => isStopping,
    onLost: (reason) => {
      log.fatal({ reason }, 'database lost to another program')
      process.exit(1)
    },
  })
  running.push(close)
  return database
}

function printAddresses(config: Config, port: number): void {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
  print(`\n  Balcão: http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`)
  const isOpen = host !== config.host
  const addresses = Object.values(networkInterfaces())
    .flat()
    .filter((address) => address && !address.internal && address.family === 'IPv4')
  if (isOpen) for (const address of addresses) print(`  Na rede local: http://${address?.address}:${port}`)
  // Without the second one a simulator is refused there.
  else print(`  Para abrir à rede local: HOST=0.0.0.0${config.simulator ? ' DEMO_PUBLIC=on' : ''}`)
  if (!config.publicUrl?.startsWith('https:') && isOpen)
    print('  Atenção: sem HTTPS, senhas e mensagens passam abertas pela rede. Veja PUBLIC_URL no README.')
}

async function boot(): Promise<void> {
  print(`Balcão ${version}`)
  const config = readConfig(process.env, process.argv.includes('--demo'))
  const log = createLog(config.logLevel)
  const failpoints = process.env['FAILPOINTS']
  if (failpoints) {
    armFailpoints(failpoints)
    log.warn({ failpoints }, 'failpoints are armed: this program is meant to fail')
  }
  for (const line of strangeVariables(Object.keys(process.env), variableNames))
    process.stderr.write(`${line}\n`)
  await step(() => tryAddress(config))
  makeDataFolder(config.dataDir)
  const demo = config.isDemo ? await import('./demo/demo.ts') : undefined
  if (demo && process.argv.includes('--reset')) await step(() => demo.resetDemo(config))
  const database = await step(() => openDatabaseOf(config, log))
  const simulator = config.simulator
    ? await step(async () => (await import('./demo/simulator.ts')).startDemoSimulator(config))
    : undefined
  if (simulator) running.push(() => simulator.close())
  const transcription = demo && simulator ? await step(() => demo.startDemoTranscription()) : undefined
  if (transcription) running.push(() => transcription.close())
  // Of this machine, what the demo has started alone: other programs listen here, too.
  const allowed = [simulator?.gatewayPort, transcription?.port].flatMap((port) =>
    port === undefined ? [] : [`127.0.0.1:${port}`],
  )
  const withSimulator = { ...config, gatewayAllowedHosts: [...config.gatewayAllowedHosts, ...allowed] }
  let admin: Awaited<ReturnType<typeof ensureFirstAdmin>>
  const app = await step(() =>
    startApp({
      config: withSimulator,
      database,
      log,
      webDir,
      isAlone: config.databaseUrl === undefined,
      jobThreads: {},
      stopRequested: () => isStopping,
      ...(demo && { demoSignIn: () => demo.demoSignIn(config) }),
      prepare: async ({ secrets }) => {
        if (demo && simulator) await demo.prepareDemo(database, secrets, { config, simulator }, print)
        else admin = await ensureFirstAdmin(database, config.admin)
      },
      ...(simulator && {
        extend: async (server) => {
          await server.register(simulator.controlPlugin, { prefix: '/simulador/api' })
        },
      }),
    }),
  )
  running.push(() => app.stop())
  const credentials =
    demo && simulator && transcription
      ? await step(() => demo.connectDemo(database, app, { config, simulator, transcription }))
      : []
  printAddresses(config, app.port)
  if (admin)
    print(
      admin.password
        ? `  Primeiro administrador: ${admin.username}\n  Senha (mostrada só desta vez): ${admin.password}`
        : `  Primeiro administrador: ${admin.username}`,
    )
  for (const line of credentials) print(`  ${line}`)
  print('')
}

/** One line for problems that the administrator can solve; a stack trace for all others. */
function lineOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartRefused || error instanceof EmbeddedPostgresError)
    return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

process.on('SIGINT', onSignal)
process.on('SIGTERM', onSignal)

try {
  await boot()
  hasBooted = true
  returnMemory()
  boundHeap()
  if (isStopping) await stopAll(0)
} catch (error) {
  const isStopped =
    error instanceof Stopped ||
    error instanceof JobInterrupted ||
    (error instanceof EmbeddedPostgresError && error.reason === 'stopped')
  if (isStopped) await stopAll(0)
  process.stderr.write(`${lineOf(error)}\n`)
  isStopping = true
  await stopAll(1)
}
