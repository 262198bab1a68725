import { sql } from 'drizzle-orm'
import type { Subject } from '#shared/endpoint.ts'
import { rows } from '#server/platform/database/db.ts'
import { attachPictures, makeFiles, makeMessages } from '../access/world/messages.ts'
import { fileOfContacts } from '../access/world/imports.ts'
import { makeAccounts } from '../access/world/people.ts'
import { makeTalks, type Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'

/** Things that exist, existed or never did. An open one of a colleague, and one that they have completed. */
export const kinds = ['foreign', 'archived', 'deleted', 'never'] as const
export type Kind = (typeof kinds)[number]

/** No ids at all. @see security S-01 */
export const malformed = [
  '0',
  '-1',
  '2147483648',
  '9223372036854775808',
  '1e3',
  '1 ',
  '１',
  '1;',
  '1,2',
  '01',
  '+1',
  '1.0',
  '__proto__',
  '3f0c6f1e-8a4b-4c8e-9d0a-0f6b7f3a2c11',
  '9'.repeat(10_240),
] as const

/** An id of each kind, and of the conversation that the message of the kind is in. */
export interface Things extends Record<Subject, Record<Kind, string>> {
  /** An open conversation, and what the paths of wrong parents name. */
  parent: Talk
}

const neverId = '2000000000'
const neverName = 'A'.repeat(32)
const neverRun = '3f0c6f1e-8a4b-4c8e-9d0a-0f6b7f3a2c12'

async function insertedId(world: World, statement: ReturnType<typeof sql>): Promise<string> {
  const [row] = await rows<{ id: number }>(world.database, statement)
  return String(row?.id ?? 0)
}

/** Makes one thing of each kind and subject. Nobody but the colleague has anything to do with them. */
export async function makeThings(world: World): Promise<Things> {
  const holderId = world.colleague.userId
  const [foreign, archived, deleted, parent] = (await makeTalks(world, [
    { holderId },
    { holderId, isCompleted: true },
    { holderId, isCompleted: true },
    { holderId },
  ])) as [Talk, Talk, Talk, Talk]
  const [file = '', archivedFile = '', deletedFile = ''] = await attachPictures(world, [
    foreign,
    archived,
    deleted,
  ])
  await makeMessages(world, [{ conversationId: foreign.id, senderId: holderId, state: 'pending' }])
  await world.database.execute(sql`delete from conversations where id = ${deleted.id}`)
  await world.database.execute(
    // Longer ago than it can be restored.
    sql`update contacts set deleted_at = app_now() - interval '1 hour' where id = ${deleted.contactId}`,
  )
  const [userId = 0, deletedUserId = 0] = await makeAccounts(world.database, [
    { username: 'alheio', role: 'operator' },
    { username: 'excluido', role: 'operator', state: 'deleted' },
  ])
  const [quick = ''] = await makeFiles(world, [{ isQuickResponse: true }])
  const numberOf = (name: string) => sql`insert into evolution_api_config
    (instance_name, api_key_encrypted, api_key_hint, base_url, is_active)
    values (${name}, 'x', 'x', 'http://127.0.0.1:1', false) returning id`
  const number = await insertedId(world, numberOf('alheia'))
  const deletedNumber = await insertedId(world, numberOf('excluida'))
  await world.database.execute(sql`delete from evolution_api_config where id = ${Number(deletedNumber)}`)
  const sessionOf = (id: number, hash: string, isEnded: boolean) => sql`insert into sessions
    (user_id, token_hash, ended_at) values (${id}, ${hash}, case when ${isEnded} then app_now() end)
    returning id`
  const session = await insertedId(world, sessionOf(holderId, 'alheia', false))
  const endedSession = await insertedId(world, sessionOf(holderId, 'encerrada', true))
  const notice = await insertedId(
    world,
    sql`insert into notices (kind, subject, fact, shown_at)
         values ('inbox_stuck', 'alheio', '{"kind":"inbox_stuck","count":1}', app_now()) returning id`,
  )
  const company = await insertedId(world, sql`insert into companies (name) values ('Alheia') returning id`)
  const category = await insertedId(
    world,
    sql`insert into contact_categories (name) values ('Alheia') returning id`,
  )
  const saved = await insertedId(
    world,
    sql`insert into saved_reports (user_id, name, filter) values (${holderId}, 'Alheio', '{"period":"day"}')
         returning id`,
  )
  const upload = await insertedId(world, fileOfContacts(holderId))
  const backup = await insertedId(
    world,
    sql`insert into maintenance_backups (name, status, file_path)
        values ('Alheio', 'failed', 'folder-of-somebody-else') returning id`,
  )
  const ids = (of: (talk: Talk) => number) => ({
    foreign: String(of(foreign)),
    archived: String(of(archived)),
    deleted: String(of(deleted)),
    never: neverId,
  })
  return {
    conversation: ids(({ id }) => id),
    message: ids(({ messageId }) => messageId),
    contact: ids(({ contactId }) => contactId),
    user: {
      foreign: String(userId),
      archived: String(userId),
      deleted: String(deletedUserId),
      never: neverId,
    },
    session: { foreign: session, archived: endedSession, deleted: endedSession, never: neverId },
    // None is a picture of a person.
    'profile picture': { foreign: file, archived: archivedFile, deleted: deletedFile, never: neverName },
    notice: { foreign: notice, archived: notice, deleted: neverId, never: neverId },
    // Administrators alone see them.
    merge: { foreign: neverId, archived: neverId, deleted: neverId, never: neverId },
    category: { foreign: category, archived: category, deleted: neverId, never: neverId },
    // Administrators alone see them.
    backup: { foreign: backup, archived: backup, deleted: neverId, never: neverId },
    run: { foreign: neverRun, archived: neverRun, deleted: neverRun, never: neverRun },
    // Everybody who may import sees all of them.
    import: { foreign: upload, archived: upload, deleted: neverId, never: neverId },
    company: { foreign: company, archived: company, deleted: neverId, never: neverId },
    file: { foreign: file, archived: archivedFile, deleted: deletedFile, never: neverName },
    // One that the settings do not name.
    'quick response': { foreign: quick, archived: file, deleted: deletedFile, never: neverName },
    'saved report': { foreign: saved, archived: saved, deleted: neverId, never: neverId },
    number: { foreign: number, archived: number, deleted: deletedNumber, never: neverId },
    parent,
  }
}
