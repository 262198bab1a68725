import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { type MakeThings, ofTalks } from '../references/thing.ts'
import { attachPictures } from '../access/world/messages.ts'
import type { Caller } from '../access/world/people.ts'
import { type Case, changing, type Recipes, type Target } from '../access/recipe.ts'
import { rowOf } from '../access/law/table.ts'
import { makeTalks, type Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { assigned, recordedAndPushed } from '../access/owned.ts'
import { always, each, hasKey, idOf, once, oneTalk, plain, shared, talks } from '../access/targets.ts'
import { twinsOf } from './accounts.ts'
import { finalizedInAskingSector } from './reasons.ts'

export const pathOf = ({ id }: Talk, suffix: string) => `/api/conversations/${id}${suffix}`

type Suffix = (talk: Talk) => string

/** What reads an open conversation. */
export const open = (suffix: Suffix, status: Case['status'] = 200): Case[] => [
  {
    what: 'of a colleague',
    sees: 'reader',
    status,
    targets: once(async (world) => {
      const talk = await oneTalk(world, 'colleague')
      await attachPictures(world, [talk])
      return { path: pathOf(talk, suffix(talk)) }
    }),
  },
  {
    what: 'in the FILA',
    sees: 'reader',
    status,
    targets: once(async (world) => {
      const talk = await oneTalk(world, 'nobody')
      return { path: pathOf(talk, suffix(talk)) }
    }),
  },
]

/**
 * What reads a completed conversation: that of a colleague, and one's own, which the row of open
 * conversations is enough for (D4).
 */
const completed = (suffix: Suffix, openRow: string): Case[] => [
  {
    what: 'of a colleague',
    sees: 'archive',
    status: 200,
    targets: once(async (world) => {
      const talk = await oneTalk(world, 'colleague', true)
      return { path: pathOf(talk, suffix(talk)) }
    }),
  },
  {
    what: 'own',
    sees: 'reader',
    needs: rowOf(openRow),
    status: 200,
    targets: each(talks('own', true), (talk) => ({ path: pathOf(talk, suffix(talk)) })),
  },
]

/** The rows of a call that reads open and completed conversations. */
const reading = <Name extends string>(suffix: string | Suffix, name: Name) => {
  const make = typeof suffix === 'string' ? () => suffix : suffix
  const openRow = `GET /api/conversations/{open}${name}`
  return {
    [openRow]: open(make),
    [`GET /api/conversations/{completed}${name}`]: completed(make, openRow),
  } as Record<`GET /api/conversations/{${'open' | 'completed'}}${Name}`, Case[]>
}

/** An act on an open conversation, with the same act on one that is completed. */
export function act(
  suffix: string,
  body: (ids: { self: number; colleague: number }) => Record<string, unknown>,
  status = 200,
): Case[] {
  const target = (talk: Talk, caller: Caller, world: World): Target => ({
    path: pathOf(talk, suffix),
    body: body({ self: idOf(world, caller), colleague: world.colleague.userId }),
  })
  return [
    { what: 'in the FILA', sees: 'reader', status, targets: each(talks('nobody'), target) },
    {
      what: 'completed, of a colleague',
      sees: 'archive',
      status: 409,
      targets: shared('colleague', true, target),
    },
    { what: 'completed, own', sees: 'reader', status: 409, targets: each(talks('own', true), target) },
  ]
}

/** Somebody with the rights of each caller passes on their only conversation. */
const shiftOf = (receiver: (world: World) => number | null) =>
  each(
    async (world, callers) => {
      const twins = await twinsOf(world, callers)
      await makeTalks(
        world,
        twins.map(({ id }) => ({ holderId: id })),
      )
      return twins
    },
    ({ token }, _caller, world) => ({
      path: '/api/conversations/hand-over',
      token,
      body: { to: receiver(world) },
    }),
  )

const deletion = (isCompleted: boolean) =>
  each(talks('colleague', isCompleted), (talk) => ({ path: pathOf(talk, '') }))

/** A conversation for each caller, which they have finalized, and whose end is held. */
async function justFinalized(world: World, callers: readonly Caller[]): Promise<Talk[]> {
  const made = await talks('own')(world, callers)
  const finalizers = made.map(({ id }, n) => ({ id, user_id: idOf(world, callers[n] as Caller) }))
  await world.database.execute(
    sql`with w as (select * from json_to_recordset(${JSON.stringify(finalizers)}::json)
          as w(id int, user_id int)),
        c as (update conversations v set status = 'completed', completed_at = app_now(),
                     waiting_for = 'client', waiting_since = null, held_until = now() + interval '4 minutes'
                from w where v.id = w.id)
        insert into messages (conversation_id, instance_id, sender_type, sender_id, message_type, content,
                              metadata, sort_at, sent_at)
        select w.id, ${world.at.instanceId}, 'user', w.user_id, 'event', '',
               '{"event": {"act": "finalized"}}', app_now(), app_now() from w`,
  )
  return made
}

/** The calls about conversations as a whole. */
export const recipes = {
  'GET /api/conversations': [
    plain('all open ones'),
    { what: 'a page', status: 200, targets: always('/api/conversations?page=1&search=Cliente') },
  ],
  ...reading('', ''),
  ...reading('/messages', '/messages'),
  ...reading('/messages/search?words=Ol%C3%A1', '/messages/search'),
  ...reading(({ messageId }) => `/messages/${messageId}/details`, '/messages/{messageId}/details'),
  ...reading(({ messageId }) => `/messages/${messageId}/versions`, '/messages/{messageId}/versions'),
  ...reading('/media', '/media'),
  ...reading('/notes', '/notes'),
  'PATCH /api/conversations/{id}/toggle-auto-close': changing(
    act('/toggle-auto-close', () => ({
      disableAutoClose: true,
    })),
    recordedAndPushed,
    'conversations.disable_auto_close conversations.version',
  ),
  'GET /api/conversations/{id}/assistant': open(() => '/assistant'),
  'PUT /api/conversations/{id}/assistant': changing(
    act('/assistant', () => ({ isOff: true })),
    recordedAndPushed,
    '+assistant_turns +messages',
  ),
  // Nobody has switched it on.
  'POST /api/conversations/{id}/assistant/summary': changing(act('/assistant/summary', () => ({}), 409)),
  'POST /api/conversations/{id}/assistant/suggestion': changing(
    act('/assistant/suggestion', () => ({}), 409),
  ),
  'PATCH /api/conversations/{id}/priority': changing(
    act('/priority', () => ({ priority: 'high' })),
    recordedAndPushed,
    'conversations.priority conversations.version',
  ),
  'POST /api/conversations/{id}/transfer': changing(
    act('/transfer', ({ colleague }) => ({
      newOperatorId: colleague,
    })),
    assigned,
    recordedAndPushed,
    '+outbox conversations.last_message_id conversations.message_count',
  ),
  'POST /api/conversations/{id}/transfer-to-sector': changing(
    {
      what: 'one of their own, to the queue of a sector',
      sees: 'reader',
      status: 204,
      targets: async (world, callers) => {
        const [made, sectorId] = [await talks('own')(world, callers), await sectorOf(world)]
        return made.map(({ id }) => ({ id, body: { sectorId } }))
      },
    },
    recordedAndPushed,
    '+queue_pending_conversations +messages +outbox conversations.assigned_user_id conversations.sector_id',
    'conversations.status conversations.sub_status conversations.version conversations.waiting_for',
    'conversations.last_message_id conversations.message_count queue_pending_conversations.processed_at',
  ),
  'PATCH /api/conversations/{id}/sector': changing(
    {
      what: 'one of their own',
      sees: 'reader',
      status: 204,
      targets: async (world, callers) => {
        const [made, sectorId] = [await talks('own')(world, callers), await sectorOf(world)]
        return made.map(({ id }) => ({ id, body: { sectorId } }))
      },
    },
    recordedAndPushed,
    '+messages conversations.sector_id conversations.version',
  ),
  'PATCH /api/conversations/{id}/assign-operator (self)': changing(
    act('/assign-operator', ({ self }) => ({
      operatorId: self,
    })),
    assigned,
    recordedAndPushed,
  ),
  'PATCH /api/conversations/{id}/assign-operator (other)': changing(
    act('/assign-operator', ({ colleague }) => ({
      operatorId: colleague,
    })),
    assigned,
    recordedAndPushed,
  ),
  'POST /api/conversations/{id}/finalize': changing(
    [...act('/finalize', () => ({ notes: 'Resolvido' })), ...finalizedInAskingSector],
    recordedAndPushed,
    '+messages +outbox conversations.auto_close_from conversations.completed_at',
    'conversations.finish_reason_id conversations.last_message_id',
    'conversations.message_count conversations.notes conversations.status conversations.version',
    'conversations.waiting_for conversations.waiting_since queue_pending_conversations.processed_at',
  ),
  'POST /api/conversations/{id}/undo-finalize': changing(
    [
      {
        what: 'finalized by oneself a moment ago',
        sees: 'reader',
        status: 200,
        targets: each(justFinalized, (talk) => ({ path: pathOf(talk, '/undo-finalize') })),
      },
      ...act('/undo-finalize', () => ({}), 409),
    ],
    recordedAndPushed,
    '+messages conversations.completed_at conversations.held_until conversations.last_message_id',
    'conversations.message_count conversations.notes conversations.status conversations.version',
    'conversations.waiting_for conversations.waiting_since queue_pending_conversations.processed_at',
  ),
  'POST /api/conversations/take-next': changing(
    {
      what: 'the oldest in the FILA',
      sees: 'reader',
      status: 200,
      targets: each(talks('nobody'), () => ({})),
    },
    assigned,
    recordedAndPushed,
  ),
  'POST /api/conversations/hand-over (queue)': changing(
    { what: "one's own", status: 200, targets: shiftOf(() => null) },
    assigned,
    recordedAndPushed,
    '+queue_pending_conversations conversations.waiting_for',
  ),
  'POST /api/conversations/hand-over (other)': changing(
    { what: "one's own", status: 200, targets: shiftOf(({ colleague }) => colleague.userId) },
    recordedAndPushed,
    '+messages +outbox +conversation_people conversations.assigned_user_id',
    'conversations.last_message_id conversations.message_count conversations.version',
  ),
  'DELETE /api/conversations/{open}': changing(
    { what: 'of a colleague', sees: 'reader', status: 204, targets: deletion(false) },
    recordedAndPushed,
    '+forgotten_messages -conversations -conversation_people -messages',
  ),
  'DELETE /api/conversations/{archived}': changing(
    { what: 'of a colleague', sees: 'archive', status: 204, targets: deletion(true) },
    recordedAndPushed,
    '+forgotten_messages -conversations -conversation_people -messages',
  ),
  'GET /api/stats (queue block)': { ...plain('the block'), part: hasKey('completedToday') },
  'GET /api/stats (statistics block)': { ...plain('the block'), part: hasKey('totalOperators') },
} satisfies Recipes

/** A sector to which conversations are given. */
async function sectorOf(world: World): Promise<number> {
  const [made] = await rows<{ id: number }>(
    world.database,
    sql`insert into sectors (name, color) values (${`Destino ${world.next()}`}, '#2563eb') returning id`,
  )
  if (!made) throw new Error('no sector')
  return made.id
}

export const things = {
  conversation: ofTalks(({ id }) => id),
} satisfies MakeThings
