import { sql } from 'drizzle-orm'
import type { Config } from '#server/platform/config.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { type FilePlace, openPlaces } from '#server/platform/file-store/places.ts'

/** A file of which no row knows. */
export interface Orphan {
  name: string
  place: FilePlace
  sizeBytes: number
  changedAt: Date
  /** Older than a day: nothing that is under way may still need it. */
  isOld: boolean
}

/** A row whose file is nowhere. */
export interface Dangler {
  name: string
  sizeBytes: number
  createdAt: Date
  messageId: number | null
  contactId: number | null
  userId: number | null
  isQuickResponse: boolean
  isOfMacro: boolean
}

export interface Scanned {
  /** How many files are at each place, of those that a row knows. */
  known: Record<FilePlace, number>
  orphans: Orphan[]
  danglers: Dangler[]
}

interface Dependencies {
  config: Config
  database: Database
  files: FileStore
}

/** Longer than it takes to write a file whose row has come first. */
const underWay = sql`interval '15 minutes'`
const lookedUpAtOnce = 1000

/**
 * Compares the files at both places with the rows that name them, while everything goes on. Both sides change
 * meanwhile, so whatever seems to be missing is looked at once more.
 * @throws BucketError
 */
export async function scanFiles({ config, database, files }: Dependencies): Promise<Scanned> {
  const places = openPlaces(config)
  const known: Scanned['known'] = { disk: 0, s3: 0 }
  const orphans: Orphan[] = []
  const stored = new Set<string>()
  const oldBefore = await dayAgo(database)
  for (const place of ['disk', 's3'] as const) {
    let batch: Omit<Orphan, 'place' | 'isOld'>[] = []
    const compare = async () => {
      const named = await namesOf(
        database,
        batch.map(({ name }) => name),
      )
      for (const file of batch)
        if (named.has(file.name)) known[place] += 1
        else orphans.push({ ...file, place, isOld: file.changedAt < oldBefore })
      batch = []
    }
    for await (const file of places[place]?.list() ?? []) {
      stored.add(file.name)
      batch.push(file)
      if (batch.length === lookedUpAtOnce) await compare()
    }
    await compare()
  }
  return {
    known,
    orphans: await stillThere(files, orphans),
    danglers: await findDanglers(database, files, stored),
  }
}

/** By now(): the times of files are those of a machine. */
async function dayAgo(database: Database): Promise<Date> {
  const [row] = await rows<{ at: string }>(database, sql`select (now() - interval '1 day')::text as at`)
  return new Date(row?.at ?? 0)
}

/**
 * Removes old orphans, each after one more look for a row.
 * @returns those that were removed
 */
export async function removeOrphans(
  { database, files }: Pick<Dependencies, 'database' | 'files'>,
  orphans: readonly Orphan[],
): Promise<Orphan[]> {
  const removed: Orphan[] = []
  for (const orphan of orphans) {
    if (!orphan.isOld || (await namesOf(database, [orphan.name])).has(orphan.name)) continue
    await files.remove(orphan.name)
    removed.push(orphan)
  }
  return removed
}

/** Those of the names that a row has: of a file, of an import of contacts, or of a restore under way. */
async function namesOf(database: Database, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const found = await rows<{ name: string }>(
    database,
    sql`with asked as (select unnest(${sql.param([...names])}::text[]) as name)
        select name from asked a
         where exists (select from files f where f.name = a.name)
            or exists (select from contact_imports i where i.stored_name = a.name)
            or exists (select from restored_files r where r.name = a.name)`,
  )
  return new Set(found.map(({ name }) => name))
}

/** A file that was deleted with its row meanwhile is no orphan. */
async function stillThere(files: FileStore, orphans: readonly Orphan[]): Promise<Orphan[]> {
  const there: Orphan[] = []
  for (const orphan of orphans) if (await isStored(files, orphan.name)) there.push(orphan)
  return there
}

async function isStored(files: FileStore, name: string): Promise<boolean> {
  const bytes = await files.read(name, { start: 0, end: 0 })
  bytes?.destroy()
  return bytes !== undefined
}

/** Of the rows that belong to somebody. The others are deleted automatically, with or without their file. */
async function findDanglers(
  database: Database,
  files: FileStore,
  stored: ReadonlySet<string>,
): Promise<Dangler[]> {
  const danglers: Dangler[] = []
  for (let after = 0; ;) {
    const some = await rows<Omit<Dangler, 'createdAt'> & { id: number; createdAt: string }>(
      database,
      sql`select id, name, size_bytes::float8 as "sizeBytes", created_at::text as "createdAt",
                 message_id as "messageId", contact_id as "contactId", user_id as "userId",
                 is_quick_response as "isQuickResponse", is_of_macro as "isOfMacro"
            from files
           where id > ${after} and not is_erased and not is_passing
             and (message_id is not null or contact_id is not null or user_id is not null
                  or is_quick_response or is_of_macro)
             and created_at < app_now() - ${underWay}
           order by id limit ${lookedUpAtOnce}`,
    )
    for (const { id, createdAt, ...row } of some) {
      after = id
      if (stored.has(row.name) || (await isStored(files, row.name))) continue
      if ((await namesOf(database, [row.name])).has(row.name))
        danglers.push({ ...row, createdAt: new Date(createdAt) })
    }
    if (some.length < lookedUpAtOnce) return danglers
  }
}
