import { sql } from 'drizzle-orm'
import { insertConfig } from '#server/gateway/instances/queries.ts'
import { type Database, migrateDatabase, rows } from '#server/platform/database/db.ts'
import { type Difference, verifyReports } from '#server/reports/reports.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'
import { startThrowawayDatabase } from '../support/throwaway-database.ts'
import { makeDataSet } from './random-talks.ts'

/** What a data set came to. */
export interface Verified {
  compared: number
  differences: Difference[]
  /** Whether an error of one second in one row was found. */
  isPlantedFound: boolean
}

/** Makes a data set, compares all of its figures, and then plants an error in one row and compares again. */
export async function verifyDataSet(
  database: Database,
  instanceId: number,
  random: Random,
  conversations: number,
): Promise<Verified> {
  const days = await makeDataSet(database, instanceId, random, conversations)
  const differences: Difference[] = []
  const { figures } = await verifyReports(database, days, (difference) => differences.push(difference))
  const planted = await rows<{ conversation_id: number }>(
    database,
    sql`update conversation_facts set open_handling_ms = open_handling_ms + 1000
         where conversation_id = (
           select f.conversation_id from conversation_facts f
            where f.handling_ms is not null and f.started_at >= ${days.startDate}::date + interval '15 hours'
              and f.started_at < ${days.endDate}::date + interval '15 hours'
            order by random() limit 1)
        returning conversation_id`,
  )
  let found = 0
  if (planted.length > 0) await verifyReports(database, days, () => (found += 1))
  return { compared: figures, differences, isPlantedFound: planted.length === 0 || found > 0 }
}

/**
 * Every figure of the reports is computed once more from the messages, by code that shares nothing with them,
 * for data sets at random.
 */
export const reports = defineScenario({
  options: { sets: 20, conversations: 400 },
  nightly: { sets: 20, conversations: 400 },

  async arrange({ defer }) {
    const { database, close } = await startThrowawayDatabase('reports', 6)
    defer(close)
    await migrateDatabase(database)
    const { id } = await insertConfig(database, {
      instanceName: 'loja1',
      apiKeyEncrypted: '-',
      apiKeyHint: '-',
      baseUrl: 'http://127.0.0.1:1',
    })
    return { database, instanceId: id }
  },

  async act({ database, instanceId }, { options: { sets, conversations }, print, seconds, random }) {
    const all: Verified[] = []
    for (let n = 1; n <= sets; n++) {
      const verified = await verifyDataSet(database, instanceId, random, conversations)
      all.push(verified)
      print(`  ${n}: ${verified.compared} figures, ${verified.differences.length} differ, ${seconds()} s`)
    }
    return all
  },

  check: (all) => [
    {
      property: 'the figures are those of the messages',
      checked: all.reduce((sum, { compared }) => sum + compared, 0),
      faults: all.flatMap(({ differences }) => differences.map((one) => JSON.stringify(one))),
    },
    {
      property: 'an error of one second in one row is found',
      checked: all.length,
      faults: all.flatMap(({ isPlantedFound }, n) => (isPlantedFound ? [] : [`data set ${n + 1}`])),
    },
  ],
})
