import { sql } from 'drizzle-orm'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import { rows } from '#server/platform/database/db.ts'
import { type Company, password, until } from './company.ts'
import type { Colleague, Day } from './people.ts'

/** What an administrator does besides: imports, merges, companies, reports, deletions, requests of people. */
export async function editBooks(company: Company, chief: Colleague, { day }: Day): Promise<void> {
  await chief.call('POST', '/api/auth/reauthenticate', { password })
  await importFile(company, chief, day)
  await mergeTwo(company, chief, day)
  await chief.call('POST', '/api/companies', { name: `Empresa ${day}` })
  await keepReport(chief, day)
  await chief.upload('PUT', '/api/profile/picture')
  const notices = await chief.call<{ id: number }[]>('GET', '/api/notices')
  for (const { id } of notices.slice(0, 1)) await chief.call('POST', `/api/notices/${id}/dismiss`)
  const [old] = await rows<{ id: number; contactId: number }>(
    company.database,
    sql`select id, contact_id as "contactId" from conversations
         where status = 'completed' order by id limit 1`,
  )
  if (!old) return
  await chief.call('DELETE', `/api/conversations/${old.id}`)
  if (day % 5 === 4) await chief.call('POST', `/api/contacts/${old.contactId}/anonymize`)
}

/** Twenty new people, ten that were in the file of yesterday, two rows that are wrong. */
async function importFile({ program: { url } }: Company, { token, call }: Colleague, day: number) {
  const person = (n: number) => `Pessoa ${n};(21) 9${String(80_000_000 + n).replace(/(\d{4})$/, '-$1')}`
  const lines = Array.from({ length: 30 }, (_, n) => person(day * 20 + n - 10))
  const csv = ['Nome;Telefone', ...lines, 'Sem número;123', 'Outra;'].join('\n')
  const form = new FormData()
  form.set('file', new Blob([csv]), 'contatos.csv')
  const answer = await fetch(`${url}/api/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!answer.ok) throw new Error(`the file was answered ${answer.status}: ${await answer.text()}`)
  const { id, mapping } = (await answer.json()) as ContactImport
  const path = `/api/contacts/imports/${id}`
  await call('POST', `${path}/start`, { mapping, known: 'update' })
  await until(
    'the import does not end',
    () => call<ContactImport>('GET', path),
    ({ state }) => state !== 'running' && state !== 'read',
  )
}

/** Of two days one is undone. */
async function mergeTwo({ database }: Company, { call }: Colleague, day: number): Promise<void> {
  const [kept, merged] = await rows<{ id: number }>(
    database,
    sql`select id from contacts where deleted_at is null and name like 'Pessoa %' order by id desc limit 2`,
  )
  if (!kept || !merged) throw new Error('nobody was imported')
  await call('POST', `/api/contacts/${kept.id}/merge`, { otherId: merged.id })
  if (day % 2 === 0) return
  const [last] = await call<{ id: number }[]>('GET', '/api/contacts/merges')
  if (last) await call('POST', `/api/contacts/merges/${last.id}/undo`)
}

/** A report is kept under a name, and that of the day before is deleted. */
async function keepReport({ call }: Colleague, day: number): Promise<void> {
  for (const { id } of await call<{ id: number }[]>('GET', '/api/reports/saved'))
    await call('DELETE', `/api/reports/saved/${id}`)
  await call('POST', '/api/reports/saved', { name: `Dia ${day}`, filter: { period: 'week' } })
}
