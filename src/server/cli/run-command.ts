import { resolve } from 'node:path'
import { eq } from 'drizzle-orm'
import { openInstallation, StartRefused } from '#server/installation.ts'
import { databasePlace, openConfiguredDatabase } from '#server/open-database.ts'
import { machineMs } from '#server/platform/clock.ts'
import { type Config, ConfigError, readConfig, variableNames } from '#server/platform/config.ts'
import { makeDataFolder } from '#server/platform/data-folder.ts'
import { type Database, isDatabaseDown, migrateDatabase } from '#server/platform/database/db.ts'
import { readSchemaState, tagOf } from '#server/platform/database/migrate.ts'
import { EmbeddedPostgresError, hasEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { createLog } from '#server/platform/log.ts'
import { strangeVariables } from '#server/platform/strange-variables.ts'
import { installation } from '#server/schema/installation.ts'
import { parseRequest } from './arguments.ts'
import type { Examination } from '#shared/doctor/doctor.ts'
import { cancelled, CommandError } from './command-error.ts'
import { attach } from './maintenance/copy-commands.ts'
import type { Terminal } from './terminal.ts'
import { usageOf } from './usage.ts'
import { type InstalledRequest, prepareWork, type Work } from './user-commands.ts'
import { version } from '#shared/version.ts'

/** What a command runs in. */
export interface Surroundings {
  env: Record<string, string | undefined>
  terminal: Terminal
  /** Called before the database is opened: from now on a signal must let it be closed. */
  onWork(): void
  stopRequested(): boolean
}

/**
 * Runs an administration command. Refusals and failures are reported at the terminal.
 * @param words the command and its arguments
 * @returns the exit code
 */
export async function runCommand(words: string[], surroundings: Surroundings): Promise<number> {
  try {
    await run(words, surroundings)
    return 0
  } catch (error) {
    const isStopped = error instanceof EmbeddedPostgresError && error.reason === 'stopped'
    const problem = isStopped ? cancelled() : error
    surroundings.terminal.warn(lineOf(problem))
    return problem instanceof CommandError ? problem.exitCode : 1
  }
}

async function run(words: string[], { env, terminal, onWork, stopRequested }: Surroundings): Promise<void> {
  const request = parseRequest(words)
  if (request === 'help') return terminal.print(usageOf(words).trimEnd())
  if (request === 'version') return terminal.print(version)
  const config = readConfig(env, request.isDemo)
  for (const line of strangeVariables(Object.keys(env), variableNames)) terminal.warn(line)
  // npm runs its scripts in the folder of the package, and not where the command was typed.
  if ('path' in request && request.path !== undefined)
    request.path = resolve(env['INIT_CWD'] ?? '.', request.path)
  if (request.command === 'attach') {
    terminal.warn(`Banco de dados: ${databasePlace(config)}`)
    onWork()
    const prepare = () => makeDataFolder(config.dataDir)
    return attach(request, { config, terminal, stopRequested }, prepare)
  }
  try {
    await workOnInstallation(request, { config, terminal, onWork, stopRequested })
  } catch (error) {
    // A program that reads the findings finds there, too, what kept the doctor from looking.
    if (request.command === 'doctor' && request.isJson && !(error instanceof CommandError))
      terminal.print(JSON.stringify(unexamined(lineOf(error)), null, 2))
    throw error
  }
}

/** What the doctor says when it has not even a database. */
const unexamined = (text: string): Examination => ({
  at: new Date(machineMs()).toISOString(),
  findings: [{ check: 'database', state: 'fault', cause: 'database_away', text, instanceName: null }],
})

async function workOnInstallation(
  request: InstalledRequest,
  { config, terminal, onWork, stopRequested }: Omit<Surroundings, 'env'> & { config: Config },
): Promise<void> {
  terminal.warn(`Banco de dados: ${databasePlace(config)}`)
  const work = await prepareWork(request, config, terminal, stopRequested)
  onWork()
  if (!config.databaseUrl && !(await hasEmbeddedPostgres(config.dataDir))) throw nothingHere(config)
  // The embedded server may disappear while the command uses it, because the program that started it stops
  // it. Then start it again.
  for (let tries = 1; ; tries++) {
    try {
      return await workOn(config, request, work, stopRequested)
    } catch (error) {
      const isOver = tries === 5 || stopRequested() || isAlone(request)
      if (isOver || config.databaseUrl || !isDatabaseDown(error) || isDiskFull(error)) throw error
    }
  }
}

const isAlone = (request: InstalledRequest) =>
  request.command === 'move-to' || (request.command === 'undo-upgrade' && request.isConfirmed)

async function workOn(
  config: Config,
  request: InstalledRequest,
  work: Work,
  stopRequested: () => boolean,
): Promise<void> {
  const { database, close } = await openConfiguredDatabase(config, createLog('silent'), {
    // Beside a server, unless none may run: then this program takes its place.
    attachOnly: !isAlone(request),
    stopRequested,
  })
  try {
    await refuseWithoutInstallation(database, config)
    // At most the tables of the job queue, which an attached copy has not yet.
    await migrateDatabase(database, { beforeUpgrade: refuseUpgrade })
    await openInstallation(database, config.isDemo)
    if (stopRequested()) throw cancelled()
    await work(database)
  } finally {
    await close()
  }
}

/** A command upgrades no installation: the old version may be serving it, and a start copies it before. */
function refuseUpgrade(version: number): Promise<never> {
  throw new CommandError(
    `Este banco ainda é da versão ${tagOf(version)}: inicie o servidor desta versão, que o atualiza, ou ` +
      'use o comando da versão dele.',
  )
}

/** No command begins an installation: only a start does, and what brings a whole one. Writes nothing. */
async function refuseWithoutInstallation(database: Database, config: Config): Promise<void> {
  const { isEmpty, isUpgrade, version } = await readSchemaState(database.pool)
  if (isEmpty) throw nothingHere(config)
  if (isUpgrade) await refuseUpgrade(version)
  const [row] = await database.select().from(installation).where(eq(installation.id, 1))
  if (!row) throw nothingHere(config)
}

function nothingHere({ isDemo, databaseUrl, dataDir }: Config): StartRefused {
  const where = databaseUrl ? 'no banco de DATABASE_URL' : `em ${dataDir}`
  return new StartRefused(
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
  if (isDiskFull(error)) return 'O disco está cheio.'
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  const { message, code } = inner as { message?: string; code?: string }
  const [reason] = (message || code || String(inner)).split('\n')
  return isDatabaseDown(error) ? `O banco de dados não responde: ${reason}` : `Erro inesperado: ${reason}`
}
