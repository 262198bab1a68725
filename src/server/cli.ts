import { existsSync, mkdirSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { type AdminRequest, parseRequest, usage } from './cli/arguments.ts'
import { cancelled, CommandError } from './cli/command-error.ts'
import { readNewPassword } from './cli/password-input.ts'
import { prepareWork, type Terminal, type Work } from './cli/user-commands.ts'
import { openInstallation, StartRefused } from './installation.ts'
import { openConfiguredDatabase } from './open-database.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { type Database, isDatabaseDown, migrateDatabase } from '#server/platform/database/db.ts'
import { EmbeddedPostgresError } from './platform/embedded-postgres.ts'
import { createLog } from './platform/log.ts'
import { installation } from './schema/installation.ts'

const terminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
  readNewPassword: () => readNewPassword(process.stdin, process.stderr),
}

let isStopping = false

/** An embedded server that was started for the command must be stopped before the program ends. */
function onSignal(): void {
  if (isStopping) process.exit(130)
  isStopping = true
}

async function run(): Promise<void> {
  const request = parseRequest(process.argv.slice(2))
  if (request === 'help') return void process.stdout.write(usage)
  const config = readConfig(process.env, request.isDemo)
  const work = await prepareWork(request, config, terminal)
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  if (!config.databaseUrl) prepareFolder(config, request)
  // The embedded server may disappear while the command uses it, because the program that started it stops
  // it. Then start it again.
  for (let tries = 1; ; tries++) {
    try {
      return await workOn(config, request, work)
    } catch (error) {
      if (tries === 5 || config.databaseUrl || isStopping || !isDatabaseDown(error)) throw error
    }
  }
}

function prepareFolder(config: Config, request: AdminRequest): void {
  if (request.command !== 'create' && !existsSync(config.dataDir)) throw nothingHere(config)
  // When run as root, the database runs under another account, which must be able to enter the folder.
  mkdirSync(config.dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
}

async function workOn(config: Config, request: AdminRequest, work: Work): Promise<void> {
  const { database, close } = await openConfiguredDatabase(config, createLog('silent'), {
    attachOnly: true,
    stopRequested: () => isStopping,
  })
  try {
    await migrateDatabase(database)
    await refuseWithoutInstallation(database, config, request)
    await openInstallation(database, config.isDemo)
    if (isStopping) throw cancelled()
    await work(database)
  } finally {
    await close()
  }
}

/** Only `create` may begin an installation; a demo creates itself, with its own people. */
async function refuseWithoutInstallation(
  database: Database,
  config: Config,
  request: AdminRequest,
): Promise<void> {
  const [row] = await database.select().from(installation).where(eq(installation.id, 1))
  if (!row && (request.command !== 'create' || config.isDemo)) throw nothingHere(config)
}

function nothingHere({ isDemo, databaseUrl, dataDir }: Config): CommandError {
  const where = databaseUrl ? 'no banco de DATABASE_URL' : `em ${dataDir}`
  return new CommandError(
    isDemo
      ? `A demonstração ainda não foi iniciada ${where}: use npm run demo.`
      : `Não há instalação ${where}: confira DATA_DIR e DATABASE_URL.`,
  )
}

/** One line without the text and the values of a statement: they may contain a password's hash. */
function lineOf(error: unknown): string {
  if (
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof StartRefused ||
    error instanceof EmbeddedPostgresError
  )
    return error.message
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  const { message, code } = inner as { message?: string; code?: string }
  const [reason] = (message || code || String(inner)).split('\n')
  return isDatabaseDown(error) ? `O banco de dados não responde: ${reason}` : `Erro inesperado: ${reason}`
}

// A reader that closes the pipe early (`| head`) must not stop the program half-way.
process.stdout.on('error', () => undefined)

try {
  await run()
} catch (error) {
  const isStopped = error instanceof EmbeddedPostgresError && error.reason === 'stopped'
  const problem = isStopped ? cancelled() : error
  terminal.warn(lineOf(problem))
  process.exitCode = problem instanceof CommandError ? problem.exitCode : 1
}
