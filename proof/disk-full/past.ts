import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { seedPast } from '../backup/seed.ts'
import type { Place } from './place.ts'

// What a backup has to write, and a restore to bring back. One half of the conversations has files from the
// beginning; these are in the backup that is restored at every level, and removed before it. The other half
// has new files at every level, which no earlier backup has.

const conversations = 60
const lastOfFirstHalf = `2024${String(conversations / 2).padStart(10, '0')}`

export const fileOf = (dataDir: string, name: string): string =>
  join(dataDir, 'uploads', name.slice(0, 2), name)

/** Writes the conversations, and the files of the first half. */
export async function seed({ database, dataDir }: Place): Promise<void> {
  await seedPast(database, dataDir, { conversations, messagesEach: 10, files: 0 })
  await giveFiles({ database, dataDir }, sql`v.protocol <= ${lastOfFirstHalf}`, { count: 60, bytes: 60_000 })
}

export const giveNewFiles = (place: Place): Promise<void> =>
  giveFiles(place, sql`v.protocol > ${lastOfFirstHalf}`, { count: 40, bytes: 150_000 })

async function giveFiles(
  { database, dataDir }: Pick<Place, 'database' | 'dataDir'>,
  which: ReturnType<typeof sql>,
  { count, bytes: sizeBytes }: { count: number; bytes: number },
): Promise<void> {
  const wanted = await rows<{ id: number }>(
    database,
    sql`select m.id from messages m join conversations v on v.id = m.conversation_id
         where ${which} and m.sender_type = 'contact' and m.file_url is null
           and m.whatsapp_message_id like 'SEED%' order by m.id limit ${count}`,
  )
  const made = wanted.map(({ id }) => {
    const bytes = randomBytes(sizeBytes)
    const name = randomBytes(24).toString('base64url')
    const path = fileOf(dataDir, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    return { id, name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
  await database.execute(
    sql`insert into files (name, message_id, size_bytes, mime_type, sha256)
        select f.name, f.id, f.size, 'application/pdf', f.sha256
          from jsonb_to_recordset(${JSON.stringify(made)}::jsonb)
                 as f (id int, name text, size int, sha256 text)`,
  )
  await database.execute(
    sql`update messages m set file_url = '/api/media/files/' || f.name, file_size = f.size_bytes,
               message_type = 'document', file_name = 'nota.pdf'
          from files f where f.message_id = m.id and m.file_url is null`,
  )
}

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
