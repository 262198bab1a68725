import { mkdirSync } from 'node:fs'
import { runCommand } from '#server/cli/run-command.ts'
import { openInstallation } from '#server/installation.ts'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import { migrateDatabase } from '#server/platform/database/db.ts'
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
export const withoutDatabase = (ended: Ended): Ended => ({
  ...ended,
  stderr: ended.stderr.replace(/^Banco de dados: .*\n/, ''),
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
