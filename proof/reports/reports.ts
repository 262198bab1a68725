import { sql } from 'drizzle-orm'
import { insertConfig } from '#server/gateway/instances/queries.ts'
import { type Database, migrateDatabase, rows } from '#server/platform/database/db.ts'
import { type Difference, verifyReports } from '#server/reports/reports.ts'
import { getSettings } from '#server/settings/settings.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'
import { startThrowawayDatabase } from '../support/throwaway-database.ts'
import { type DataSet, makeDataSet } from './random-talks.ts'

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
  const plantedId = await plantError(database, days, random)
  const found: string[] = []
  await verifyReports(database, days, ({ figure }) => found.push(figure))
  // A set in which nobody was attended within the hours of work has no row for an error.
  const isPlantedFound =
    plantedId === undefined || found.includes(`conversation ${plantedId}: handling: open`)
  return { compared: figures, differences, isPlantedFound }
}

/** Adds a second to the handling time of one conversation of the period. @returns its id */
async function plantError(
  database: Database,
  { startDate, endDate }: DataSet,
  random: Random,
): Promise<number | undefined> {
  const { timezone } = await getSettings(database)
  const handled = await rows<{ id: number }>(
    database,
    sql`select v.id from conversation_facts f join conversations v on v.id = f.conversation_id
         where f.open_handling_ms is not null and not v.is_history
           and coalesce(v.pre_attendance_stage, '') not in ('cancelled', 'waiting_option')
           and (f.started_at at time zone ${timezone})::date between ${startDate}::date and ${endDate}::date
         order by v.id`,
  )
  const id = handled[Math.floor(random() * handled.length)]?.id
  await database.execute(
    sql`update conversation_facts set open_handling_ms = open_handling_ms + 1000
         where conversation_id = ${id ?? null}`,
  )
  return id
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
