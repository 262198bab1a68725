import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type {
  Backup,
  MaintenanceRun,
  MaintenanceStats,
  RestoreChoice,
} from '#shared/maintenance/maintenance.ts'
import { writeSamples } from '#server/conversations/conversations.ts'
import { keepBytes, ownFile } from '#server/media/media.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { type Client, eventually, type TestApp, testPassword } from '#server/testing/test-app.ts'

const dayMs = 24 * 60 * 60_000
let made = 0

export interface Past {
  contactIds: number[]
  conversationIds: number[]
}

/**
 * Writes completed conversations, one a day before today, the newest first: a company, a contact with a
 * number, six messages with an edit, a reaction and a file, a rating.
 */
export async function writePast(t: TestApp, operatorId: number, count: number): Promise<Past> {
  const past: Past = { contactIds: [], conversationIds: [] }
  for (let n = 0; n < count; n++) {
    made += 1
    const phone = `5541${90_000_000 + made}`
    const [contact] = await t.sql<{ id: number }>`
      with company as (insert into companies (name) values (${`Empresa ${made}`}) returning id),
               contact as (insert into contacts (name, phone, email, tags, notes, company_id)
                           select ${`Cliente ${made}`}, ${phone}, ${`c${made}@exemplo.com`},
                                  array['vip', 'ação'], 'nota "com" aspas', id from company returning id)
          insert into contact_identities (contact_id, kind, value, jid)
          select id, 'phone', ${phone}, ${phone} from contact returning contact_id as id`
    if (!contact) throw new Error('no contact')
    const at = (minutes: number) => new Date(Date.now() - (n + 1) * dayMs + minutes * 60_000)
    const wa = (k: number) => `PAST${made}-${k}`
    await inTransaction(t.database, (db) =>
      writeSamples(db, [
        {
          instanceId: t.instanceId,
          contactId: contact.id,
          assignedUserId: operatorId,
          initiatedBy: 'contact',
          completedAt: at(30),
          rating: { value: 5, feedback: 'ótimo', at: at(31) },
          messages: [
            {
              waId: wa(0),
              from: 'contact',
              text: `bom dia, pedido ${made}\ncom linha e "aspas" \\ 😀`,
              at: at(0),
            },
            { waId: wa(1), from: { operator: operatorId }, text: 'bom dia', at: at(1) },
            {
              waId: wa(2),
              from: 'contact',
              text: 'segue',
              at: at(2),
              type: 'document',
              file: { name: 'nota.pdf', mimeType: 'application/pdf', sizeBytes: 2000 },
            },
            {
              waId: wa(3),
              from: { operator: operatorId },
              text: 'recebido',
              at: at(3),
              versions: [{ text: 'recebdo', replacedAt: at(4) }],
              reactions: [{ from: 'contact', emoji: '👍', at: at(5) }],
            },
          ],
        },
      ]),
    )
    const [row] = await t.sql<{ id: number; conversationId: number }>`
      select id, conversation_id as "conversationId" from messages where whatsapp_message_id = ${wa(2)}`
    if (!row) throw new Error('no message')
    await giveFile(t, row.id, `%PDF-1.4 nota ${made} `.repeat(200))
    past.contactIds.push(contact.id)
    past.conversationIds.push(row.conversationId)
  }
  return past
}

/** Gives a message a file of its own. */
async function giveFile(t: TestApp, messageId: number, text: string): Promise<string> {
  const { files } = t.app
  const { name, sizeBytes } = await keepBytes(
    { database: t.database, files },
    'nota.pdf',
    Readable.from([Buffer.from(text)]),
  )
  await ownFile(t.database, name, messageId)
  await t.sql`update messages set file_url = ${`/api/media/files/${name}`}, file_size = ${sizeBytes}
         where id = ${messageId}`
  return name
}

/** Waits until no run is waiting or running. @returns the last run of the kind */
export async function ended(admin: Client, kind: MaintenanceRun['kind']): Promise<MaintenanceRun> {
  const stats = await eventually(
    () => admin.get<MaintenanceStats>('/api/maintenance/stats'),
    ({ runs }) => runs.every(({ state }) => state !== 'queued' && state !== 'running'),
    60_000,
  )
  const run = stats.runs.find((one) => one.kind === kind)
  if (!run) throw new Error(`no ${kind}`)
  return run
}

/** Gives the password again, which what is sensitive asks for. */
export async function confirm(person: Client): Promise<void> {
  await person.request('POST', '/api/auth/reauthenticate', { password: testPassword })
}

/** Makes a backup, and waits for its end. */
export async function makeBackup(admin: Client, name = 'Backup_teste'): Promise<Backup> {
  const { body } = await admin.request<Backup>('POST', '/api/maintenance/backup', { name, type: 'complete' })
  await ended(admin, 'backup')
  const all = await admin.get<Backup[]>('/api/maintenance/backups')
  const made = all.find(({ id }) => id === body.id)
  if (!made) throw new Error(`no backup: ${JSON.stringify(body)}`)
  return made
}

export const everything: RestoreChoice = { restoreComplete: true, restoreSettings: true }

/** Begins a restore or its preview, of everything unless less is chosen, and waits for its end. */
export async function startRestore(
  admin: Client,
  { id }: Backup,
  choice: RestoreChoice = everything,
  kind: 'restore' | 'preview' = 'restore',
): Promise<MaintenanceRun> {
  await confirm(admin)
  const path = `/api/maintenance/restore/${id}${kind === 'preview' ? '/preview' : ''}`
  const { status, body } = await admin.request<MaintenanceRun>('POST', path, choice)
  if (status !== 201) throw new Error(`not begun: ${JSON.stringify(body)}`)
  return ended(admin, kind)
}

type Made = Pick<Backup, 'id'>

/** The name of a backup's folder in its store. */
export async function folderOf(t: TestApp, { id }: Made): Promise<string> {
  const [row] = await t.sql<{ folder: string }>`
    select file_path as folder from maintenance_backups where id = ${id}`
  return row?.folder ?? ''
}

/** The file of a backup, or a range of it: `bytes=0-99`. */
export async function download(t: TestApp, admin: Client, { id }: Made, range?: string): Promise<Buffer> {
  const answer = await fetch(`${t.app.url}/api/maintenance/download/${id}`, {
    headers: { authorization: `Bearer ${admin.token}`, ...(range !== undefined && { range }) },
  })
  const expected = range === undefined ? 200 : 206
  if (answer.status !== expected) throw new Error(`the download was answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/**
 * Carries a backup over to another installation, as `backup import` does.
 * @param admin of the installation to which it is carried
 * @param change what happens to its folder on the way
 */
export async function carryBackup(
  { from, to, admin }: { from: TestApp; to: TestApp; admin: Client },
  { id }: Made,
  { name, change }: { name: string; change?: ((dir: string) => unknown) | undefined },
): Promise<Backup> {
  const [row] = await from.sql<{ folder: string; size: number }>`
    select file_path as folder, size::int as size from maintenance_backups where id = ${id}`
  if (!row) throw new Error('no backup')
  const pathIn = ({ config }: TestApp) => join(config.dataDir, 'backups', row.folder)
  cpSync(pathIn(from), pathIn(to), { recursive: true })
  await change?.(pathIn(to))
  await to.sql`
    insert into maintenance_backups (name, status, file_path, size, completed_at, is_imported)
    values (${name}, 'completed', ${row.folder}, ${row.size}, app_now(), true) on conflict do nothing`
  const all = await admin.get<Backup[]>('/api/maintenance/backups')
  const carried = all.find((backup) => backup.name === name)
  if (!carried) throw new Error('not carried')
  return carried
}
