import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { type SQL, sql } from 'drizzle-orm'
import type { ImportState, KnownChoice } from '#shared/contacts/contact-imports.ts'
import { rows } from '#server/platform/database/db.ts'
import type { World } from './world.ts'

/** Inserts a file of contacts with two rows, of which nothing is in the file store. Returns its id. */
export function fileOfContacts(
  userId: number,
  state: ImportState = 'read',
  known: KnownChoice = 'skip',
): SQL {
  const name = randomBytes(24).toString('base64url')
  const mapping = JSON.stringify(['name', 'phone'])
  return sql`insert into contact_imports
    (file_name, stored_name, size_bytes, format, encoding, has_bom, separator, headers, samples, first_rows,
     total_rows, mapping, known, state, uploaded_by, started_at, ended_at)
    values ('contatos.csv', ${name}, 40, 'csv', 'utf-8', false, ';', '{Nome,Telefone}', '{Rita,""}', '[]', 2,
            ${mapping}::jsonb, ${known}, ${state}, ${userId},
            case when ${state} <> 'read' then app_now() end,
            case when ${state} not in ('read', 'running', 'undoing') then app_now() end)
    returning id`
}

/** The same with its file in the file store, so that it can be read again. @returns its id */
export async function keptFileOfContacts(world: World, userId: number): Promise<number> {
  const [made] = await rows<{ id: number }>(world.database, fileOfContacts(userId))
  const [row] = await rows<{ id: number; storedName: string }>(
    world.database,
    sql`update contact_imports set header_line = 1, sheets = '[{"name": "", "rows": 2, "hidden": 0}]'
         where id = ${made?.id ?? 0} returning id, stored_name as "storedName"`,
  )
  const [app] = world.at.apps
  if (!row || !app) throw new Error('nothing was made')
  const lines = '[0,1,0,"Nome","Telefone"]\n[0,2,0,"Rita","11987654321"]\n'
  await app.files.keep(row.storedName, await app.files.spool(Readable.from([Buffer.from(lines)]), 1000))
  return row.id
}
