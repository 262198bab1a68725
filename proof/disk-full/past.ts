import { rmSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { fileOf, giveFiles, seedPast } from '../backup/seed.ts'
import type { Place } from './place.ts'

// What a backup has to write, and a restore to bring back. One half of the conversations has files from the
// beginning; these are in the backup that is restored at every level, and removed before it. The other half
// has new files at every level, which no earlier backup has.

const conversations = 60
const lastOfFirstHalf = `2024${String(conversations / 2).padStart(10, '0')}`

/** Writes the conversations, and the files of the first half. */
export async function seed({ database, dataDir }: Place): Promise<void> {
  await seedPast(database, dataDir, { conversations, messagesEach: 10, files: 0 })
  await giveFiles(database, dataDir, {
    which: sql`v.protocol <= ${lastOfFirstHalf}`,
    count: 60,
    sizeOf: () => 60_000,
  })
}

export const giveNewFiles = ({ database, dataDir }: Place): Promise<void> =>
  giveFiles(database, dataDir, {
    which: sql`v.protocol > ${lastOfFirstHalf}`,
    count: 40,
    sizeOf: () => 150_000,
  })

/** Removes the first half with its files, as if somebody had deleted it. @returns how many files */
export async function removeFirstHalf({ database, dataDir }: Place): Promise<number> {
  const names = await takeFiles(database, sql`v.protocol like '2024%' and v.protocol <= ${lastOfFirstHalf}`)
  await database.execute(
    sql`delete from messages m using conversations v
         where v.id = m.conversation_id and v.protocol like '2024%' and v.protocol <= ${lastOfFirstHalf}`,
  )
  await database.execute(
    sql`delete from conversations where protocol like '2024%' and protocol <= ${lastOfFirstHalf}`,
  )
  for (const name of names) rmSync(fileOf(dataDir, name), { force: true })
  return names.length
}

/** Takes the files of the other half away again. */
export async function takeNewFiles({ database, dataDir }: Place): Promise<void> {
  const names = await takeFiles(database, sql`v.protocol like '2024%' and v.protocol > ${lastOfFirstHalf}`)
  for (const name of names) rmSync(fileOf(dataDir, name), { force: true })
}

async function takeFiles(database: Database, which: ReturnType<typeof sql>): Promise<string[]> {
  const taken = await rows<{ name: string; messageId: number }>(
    database,
    sql`with gone as (
          delete from files f using messages m, conversations v
           where m.id = f.message_id and v.id = m.conversation_id and ${which}
          returning f.name, f.message_id)
        update messages m set file_url = null from gone where m.id = gone.message_id
        returning gone.name, m.id as "messageId"`,
  )
  return taken.map(({ name }) => name)
}
