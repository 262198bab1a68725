import type { AppOptions } from './app-options.ts'
import type { Config } from './platform/config.ts'
import { type DatabaseData, toDatabaseData } from '#server/platform/database/database-data.ts'

/** What a thread is given of the program, besides its work: data alone. */
export interface ThreadGiven {
  config: Config
  database: DatabaseData
  logLevel: string
}

export const threadGiven = ({ config, database, log }: AppOptions): ThreadGiven => ({
  config,
  database: toDatabaseData(database),
  logLevel: log.level,
})
