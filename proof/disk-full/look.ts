import { readdirSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { checkArchive, openArchive } from '#server/maintenance/archive/archive.ts'
import { noProgress } from '#server/maintenance/archive/progress.ts'
import { createFolderStore } from '#server/maintenance/archive/store.ts'
import { rows } from '#server/platform/database/db.ts'
import { fileOf } from '../backup/seed.ts'
import type { Place } from './place.ts'

/** What was looked at, and what of it is wrong. */
export interface Look {
  checked: number
  faults: string[]
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether each file that somebody can see is the one of its row, and each completed backup is whole. */
export async function lookAtFiles({ database, dataDir }: Place): Promise<Look> {
  const faults: string[] = []
  const files = await rows<{ name: string; sha256: string }>(
    database,
    sql`select name, sha256 from files
         where message_id is not null or contact_id is not null or user_id is not null or is_quick_response`,
  )
  for (const { name, sha256 } of files) {
    try {
      const bytes = readFileSync(fileOf(dataDir, name))
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        faults.push(`the file ${name} differs from its row`)
    } catch (error) {
      faults.push(`the file ${name}: ${String(error)}`)
    }
  }
  const dangling = await rows<{ id: number }>(
    database,
    sql`select id from messages m where file_url is not null and sender_type = 'contact'
           and not exists (select from files f where f.message_id = m.id)`,
  )
  for (const { id } of dangling) faults.push(`message ${id} shows a file that is not there`)
  const backups = await rows<{ folder: string }>(
    database,
    sql`select file_path as folder from maintenance_backups where status = 'completed'`,
  )
  const store = createFolderStore(join(dataDir, 'backups'))
  for (const { folder } of backups)
    await openArchive({ store, folder, cipher: undefined }, 'backup')
      .then((archive) => checkArchive(archive, noProgress))
      .catch((error: unknown) => void faults.push(`a completed backup: ${String(error)}`))
  return { checked: files.length + backups.length, faults }
}

/** What lies around that nobody knows of: half files, backups that failed, rows that were only staged. */
export async function lookForLeftovers({ database, dataDir }: Place): Promise<Look> {
  // Before the rows, since each of them is written before its file.
  const uploads = join(dataDir, 'uploads')
  const stored = namesIn(uploads).flatMap((folder) =>
    namesIn(join(uploads, folder)).map((name) => (folder === 'cache' ? `cache/${name}` : name)),
  )
  const backups = namesIn(join(dataDir, 'backups'))
  const known = await rows<{ name: string }>(
    database,
    sql`select name from files union select stored_name from contact_imports
        union select name from restored_files
        union select file_path from maintenance_backups where status <> 'failed'`,
  )
  const names = new Set(known.map(({ name }) => name))
  const staged = await rows<{ name: string }>(
    database,
    sql`select nspname as name from pg_namespace where nspname like 'balcao\\_scratch%'`,
  )
  return {
    checked: stored.length + backups.length,
    faults: [
      ...[...stored, ...backups].filter((name) => !names.has(name)).map((name) => `${name} is left`),
      ...staged.map(({ name }) => `the schema ${name} is left`),
    ],
  }
}
