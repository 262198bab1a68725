import { type SQL, sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { flagsOf } from '../access/law/expected.ts'
import { attachPictures, makeFiles } from '../access/world/messages.ts'
import type { Caller } from '../access/world/people.ts'
import type { Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { recordedAndPushed, sent } from '../access/owned.ts'
import { makeSectors } from './sectors.ts'
import { always, each, numbered, once, oneTalk, plain, talks } from '../access/targets.ts'

/** A completed conversation of a colleague with a picture. */
async function pictureOfColleague(world: World): Promise<Talk> {
  const talk = await oneTalk(world, 'colleague', true)
  await attachPictures(world, [talk])
  return talk
}

/** The contact of a conversation of a colleague. */
const contact =
  (isCompleted = false) =>
  async (world: World) =>
    (await oneTalk(world, 'colleague', isCompleted)).contactId

const eight = (n: number) => String(n).padStart(8, '0')

/** The calls about contacts. */
export const recipes = {
  'GET /api/contacts': { what: 'a page', status: 200, targets: always('/api/contacts?page=1') },
  'GET /api/contacts/tags': plain('all'),
  'POST /api/contacts': changing(
    {
      what: 'a number of nobody',
      status: 201,
      targets: numbered((n) => ({ body: { phone: `55319${eight(n)}`, name: 'Nova', email: '' } })),
    },
    '+audit_logs +contact_identities +contacts',
  ),
  'GET /api/contacts/{id}': { what: 'a contact', status: 200, targets: once(contact(true)) },
  'POST /api/contacts/{id}/phone': changing({ what: 'a contact', status: 200, targets: once(contact(true)) }),
  'POST /api/contacts/by-phone (known)': changing({
    what: 'a number of somebody',
    status: 200,
    targets: once(async (world) => ({
      body: { phone: (await oneTalk(world, 'colleague', true)).phone, name: '' },
    })),
  }),
  'POST /api/contacts/by-phone (new)': changing(
    {
      what: 'a number of nobody',
      status: 200,
      targets: numbered((n) => ({ body: { phone: `55219${eight(n)}`, name: 'Nova' } })),
    },
    '+audit_logs +contact_identities +contacts',
  ),
  'PUT /api/contacts/{id}': changing(
    {
      what: 'a contact',
      status: 200,
      targets: each(withSectors, ({ contactId, sectorId }) => ({
        id: contactId,
        body: { name: 'Outro nome', notes: 'Prefere a tarde', sectorId },
      })),
    },
    '+audit_logs +events contacts.name contacts.name_folded contacts.notes contacts.sector_id',
    'contacts.updated_at',
  ),
  'DELETE /api/contacts/{id}': changing(
    [
      {
        what: 'a contact without an open conversation',
        status: 204,
        targets: each(talks('colleague', true), ({ contactId }) => contactId),
      },
      {
        what: 'a contact with an open conversation',
        status: 409,
        targets: each(talks('colleague'), ({ contactId }) => contactId),
      },
    ],
    '+audit_logs contacts.deleted_at contacts.updated_at',
  ),
  'POST /api/contacts/{id}/restore': changing(
    { what: 'a contact that was just deleted', status: 200, targets: each(deletedContacts, (id) => id) },
    '+audit_logs contacts.deleted_at contacts.updated_at',
  ),
  'POST /api/contacts/{id}/block': changing(
    {
      what: 'a contact with an open conversation',
      status: 200,
      targets: each(talks('colleague'), ({ contactId }) => contactId),
    },
    recordedAndPushed,
    '+messages contacts.is_blocked contacts.updated_at conversations.auto_close_from',
    'conversations.completed_at',
    'conversations.status conversations.version conversations.waiting_for conversations.waiting_since',
  ),
  'POST /api/contacts/{id}/unblock': changing(
    { what: 'a blocked contact', status: 200, targets: each(blockedContacts, (id) => id) },
    '+audit_logs contacts.is_blocked contacts.updated_at',
  ),
  'GET /api/contacts/duplicates': plain('all'),
  'GET /api/contacts/merges': plain('all'),
  'POST /api/contacts/{id}/merge': changing(
    {
      what: 'two contacts',
      status: 200,
      targets: each(contactPairs, ([id, otherId]) => ({ id, body: { otherId } })),
    },
    '+audit_logs +contact_merges +events contact_identities.contact_id contacts.deleted_at contacts.phone',
    'contacts.updated_at conversations.contact_id conversations.version',
    'queue_pending_conversations.contact_id',
  ),
  'POST /api/contacts/merges/{id}/undo': changing(
    { what: 'a merge of this moment', status: 204, targets: each(makeMerges, (id) => id) },
    '+audit_logs +contact_distinctions contact_merges.undone_at contacts.deleted_at contacts.name',
    'contacts.name_folded contacts.has_gateway_name contacts.updated_at contacts.phone',
  ),
  'POST /api/contacts/{id}/keep-apart': changing(
    {
      what: 'two contacts',
      status: 204,
      targets: each(contactPairs, ([id, otherId]) => ({ id, body: { otherId } })),
    },
    '+audit_logs +contact_distinctions',
  ),
  'GET /api/contacts/{id}/avatar': {
    what: 'a contact with a picture',
    status: 200,
    targets: once(async (world) => {
      const { contactId } = await oneTalk(world, 'colleague', true)
      const [name] = await makeFiles(world, [{ contactId }])
      await world.database.execute(
        sql`update contacts set avatar_url = '/api/contacts/' || id || '/avatar?v=' || ${name}::text
               where id = ${contactId}`,
      )
      return { id: contactId }
    }),
  },
  'GET /api/contacts/{id}/media': {
    what: 'a contact',
    status: 200,
    targets: once(async (world) => (await pictureOfColleague(world)).contactId),
  },
  'GET /api/contacts/{id}/ratings': { what: 'a contact', status: 200, targets: once(contact()) },
  'GET /api/contacts/{id}/conversations': { what: 'a contact', status: 200, targets: once(contact()) },
  'POST /api/contacts/{id}/start-conversation (existing)': changing({
    what: 'a contact with an open conversation',
    status: 200,
    targets: once(contact()),
  }),
  'POST /api/contacts/{id}/start-conversation (new)': changing({
    what: 'a contact without an open conversation',
    status: 200,
    targets: once(contact(true)),
  }),
  'POST /api/contacts/{id}/send-message': changing(
    [
      {
        what: 'a contact without an open conversation',
        status: 201,
        targets: each(talks('colleague', true), ({ contactId }) => ({
          id: contactId,
          body: { content: 'Bom dia' },
        })),
      },
      {
        // Nobody writes into a conversation that they may not see.
        what: 'a contact with an open conversation',
        status: (person) => (flagsOf(person).has('canViewConversations') ? 201 : 403),
        targets: each(talks('colleague'), ({ contactId }) => ({
          id: contactId,
          body: { content: 'Bom dia' },
        })),
      },
    ],
    sent,
    recordedAndPushed,
    '+conversations',
  ),
} satisfies Recipes

/** A contact and a sector for each caller. */
async function withSectors(world: World, callers: readonly Caller[]) {
  const found = await talks('colleague', true)(world, callers)
  const sectors = await makeSectors(world, callers)
  return found.map(({ contactId }, n) => ({ contactId, sectorId: sectors[n] ?? null }))
}

/** A contact for each caller, which can be restored until the proof has ended. @returns their ids */
function deletedContacts(world: World, callers: readonly Caller[]) {
  return changedContacts(world, callers, sql`deleted_at = app_now() + interval '1 hour'`)
}

function blockedContacts(world: World, callers: readonly Caller[]) {
  return changedContacts(world, callers, sql`is_blocked = true`)
}

async function changedContacts(world: World, callers: readonly Caller[], change: SQL): Promise<number[]> {
  const ids = (await talks('colleague', true)(world, callers)).map(({ contactId }) => contactId)
  await world.database.execute(sql`update contacts set ${change} where id = any(${sql.param(ids)}::int[])`)
  return ids
}

/** Two contacts for each caller, both with completed conversations. */
async function contactPairs(world: World, callers: readonly Caller[]): Promise<[number, number][]> {
  const make = talks('colleague', true)
  const [some, others] = [await make(world, callers), await make(world, callers)]
  return some.map(({ contactId }, n) => [contactId, others[n]?.contactId ?? 0])
}

/** A merge for each caller, which can be undone. @returns their ids */
async function makeMerges(world: World, callers: readonly Caller[]): Promise<number[]> {
  const pairs = await contactPairs(world, callers)
  const [keptIds, mergedIds] = [pairs.map(([kept]) => kept), pairs.map(([, merged]) => merged)]
  await world.database.execute(
    sql`update contacts set deleted_at = app_now(), phone = null
         where id = any(${sql.param(mergedIds)}::int[])`,
  )
  const facts = sql`jsonb_build_object('name', 'Pessoa', 'phone', null, 'email', null, 'tags', '[]'::jsonb,
    'category', 'general', 'notes', null, 'companyId', null, 'isBlocked', false, 'hasGatewayName', false,
    'gatewayNamedAt', null)`
  const made = await rows<{ id: number }>(
    world.database,
    sql`insert into contact_merges (kept_id, merged_id, merged_by, undo)
        select kept, merged, ${world.colleague.userId}::int, jsonb_build_object('kept', ${facts},
               'keptAfter', ${facts}, 'merged', ${facts}, 'identityIds', '[]'::jsonb,
               'conversationIds', '[]'::jsonb, 'joined', '[]'::jsonb)
          from unnest(${sql.param(keptIds)}::int[], ${sql.param(mergedIds)}::int[]) as p (kept, merged)
        returning id`,
  )
  return made.map(({ id }) => id)
}
