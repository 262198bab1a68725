import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type App, type AppOptions, startApp } from '#server/app.ts'
import { runCommand } from '#server/cli/run-command.ts'
import { openInstallation } from '#server/installation.ts'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, migrateDatabase, openDatabase } from '#server/platform/database/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'

export const testPassword = 'alface-roxa-na-mesa'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs an administration command as somebody types it; a password that it asks for is `testPassword`. */
export async function runAdmin(
  args: string[],
  env: NodeJS.ProcessEnv,
  readNewPassword = () => Promise.resolve(testPassword),
): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const code = await runCommand(args, {
    env,
    terminal: {
      print: (line) => void (said.stdout += `${line}\n`),
      warn: (line) => void (said.stderr += `${line}\n`),
      readNewPassword,
    },
    onWork: () => undefined,
    stopRequested: () => false,
  })
  return withoutDatabase({ code, ...said })
}

/** A command that works on a database says first which one. @returns the rest of what it says */
const withoutDatabase = (ended: Ended): Ended => ({
  ...ended,
  stderr: ended.stderr.replace(/^Banco de dados: .*\n/m, ''),
})

/** Makes the tables as a first start does, which no command may. Nobody is in them. */
export async function beginInstallation(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(env, false)
  // When run as root, the embedded server runs under another account, which must be able to enter the folder.
  if (!config.databaseUrl) mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
  const { database, close } = await openConfiguredDatabase(config, createLog('silent'))
  try {
    await migrateDatabase(database)
    await openInstallation(database, config.isDemo)
  } finally {
    await close()
  }
}

interface StartedProgram {
  ended: Promise<Ended & { signal: string | null }>
  kill(signal: NodeJS.Signals): void
}

/** Starts a command as the program that it is; `input` is piped to it. */
export function startProgram(args: string[], env: Record<string, string>, input = ''): StartedProgram {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'cli.ts'), ...args], {
    // Shares the compile cache among the programs.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(tmpdir(), 'balcao-cli-compiled'), ...env },
  })
  // A command that reads nothing may have ended before the write.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const closed = once(child, 'close') as Promise<[number | null, string | null]>
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], stdout, stderr]) => ({ signal, ...withoutDatabase({ code, stdout, stderr }) }),
  )
  return { ended, kill: (signal) => child.kill(signal) }
}

export interface ServerBeside {
  app: App
  database: Database
  postgres: EmbeddedPostgres
  stop(): Promise<void>
}

/** Starts a server as `npm start` does, on a folder that a command has created. */
export async function startServerOn(
  dataDir: string,
  options: (database: Database) => Partial<AppOptions>,
): Promise<ServerBeside> {
  const log = createLog('silent')
  const postgres = await startEmbeddedPostgres({ dataDir })
  const database = openDatabase({ connection: postgres.connection, log })
  const config = { ...readConfig({ DATA_DIR: dataDir }, false), port: 0 }
  const app = await startApp({ config, database, log, ...options(database) })
  return {
    app,
    database,
    postgres,
    async stop() {
      await app.stop()
      await database.close()
      await postgres.stop()
    },
  }
}

/** Whether the embedded server of a data folder runs. */
export const isServerRunning = (dataDir: string) =>
  existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))
