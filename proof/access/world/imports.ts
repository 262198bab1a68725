import { randomBytes } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { ImportState, KnownChoice } from '#shared/contacts/contact-imports.ts'

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
