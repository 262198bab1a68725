import { Agent } from 'node:http'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { secretOf } from './demo-secret.ts'
import type { Context } from './scenario.ts'
import { makeTemporaryFolder } from './throwaway-database.ts'
import { startWatched, type WatchedProgram } from './watched-program.ts'

/** A demonstration in a folder of its own, with what is needed to post to its webhook. */
export interface WatchedDemo {
  program: WatchedProgram
  database: Database
  agent: Agent
  /** Of its number. */
  instance: string
  secret: string
  /** Of its gateway. */
  key: string
}

/** Starts a demonstration that logs errors alone. @param connections at most that many at a time */
export async function startWatchedDemo(
  folder: string,
  connections: number,
  defer: Context<Record<never, never>>['defer'],
): Promise<WatchedDemo> {
  const { dataDir, remove } = makeTemporaryFolder(folder)
  defer(remove)
  const own = { DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const program = await startWatched({ args: ['--demo'], env: own })
  defer(() => program.stop())
  const config = readConfig({ ...process.env, ...own }, true)
  const { database, close } = await openConfiguredDatabase(config, createLog('silent'), { attachOnly: true })
  defer(close)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  defer(() => agent.destroy())
  return { program, database, agent, ...(await secretOf(database, config)) }
}
