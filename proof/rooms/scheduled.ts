import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Caller } from '../access/world/people.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { always, each, idOf, shared, talks } from '../access/targets.ts'
import type { Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { insertedId, type MakeThings, neverId } from '../references/thing.ts'
import { type Acts, anyone, type BroughtBy, call, onTalk } from '../walk/writing.ts'

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const body = { content: 'Bom dia! Chegou.', cancelOnAnswer: true, onlyOpen: false }

const own = (suffix: string) => ({
  what: 'of a colleague',
  sees: 'reader' as const,
  status: 200,
  targets: shared('colleague', false, ({ id }: Talk) => ({
    path: `/api/conversations/${id}/scheduled-messages${suffix}`,
  })),
})

/** One in a conversation of each caller, written by them. @returns their ids */
async function makeOwn(world: World, callers: readonly Caller[]): Promise<number[]> {
  const made = await talks('own')(world, callers)
  const ids: number[] = []
  for (const [n, { id }] of made.entries()) {
    const caller = callers[n]
    if (caller) ids.push(Number(await insertScheduled(world, id, idOf(world, caller))))
  }
  return ids
}

const insertScheduled = (world: World, conversationId: number, authorId: number) =>
  insertedId(
    world,
    sql`insert into scheduled_messages
          (conversation_id, author_id, content, send_at, asked_at, cancel_on_answer, only_open)
        values (${conversationId}, ${authorId}, 'agendada', app_now() + interval '1 day',
                app_now() + interval '1 day', true, false)
        returning id`,
  )

const ended = `scheduled_messages.state scheduled_messages.ended_at scheduled_messages.ended_by_id
  scheduled_messages.version`.split(/\s+/)

/** The calls about scheduled messages. */
export const recipes = {
  'POST /api/conversations/{id}/scheduled-messages': changing(
    {
      what: 'of their own',
      sees: 'reader',
      status: 201,
      targets: each(talks('own'), ({ id }) => ({
        path: `/api/conversations/${id}/scheduled-messages`,
        body: { ...body, sendAt: tomorrow() },
      })),
    },
    '+audit_logs +events +scheduled_messages',
  ),
  'GET /api/conversations/{id}/scheduled-messages': own(''),
  'GET /api/conversations/{id}/scheduled-messages/count': own('/count'),
  'GET /api/conversations/{id}/scheduled-messages/time': own(
    `/time?at=${encodeURIComponent(tomorrow())}&onlyOpen=true`,
  ),
  'GET /api/scheduled-messages (own)': {
    what: "one's own",
    status: 200,
    targets: always('/api/scheduled-messages?state=pending&of=mine'),
  },
  'GET /api/scheduled-messages (all)': {
    what: 'of others, too',
    status: 200,
    targets: always('/api/scheduled-messages?state=sent&of=all'),
  },
  'PATCH /api/scheduled-messages/{id}': changing(
    {
      what: "one's own",
      sees: 'reader',
      status: 200,
      targets: each(makeOwn, (id) => ({
        id,
        body: { ...body, onlyOpen: true, cancelOnAnswer: false, sendAt: tomorrow(), version: 1 },
      })),
    },
    '+audit_logs +events scheduled_messages.content scheduled_messages.send_at scheduled_messages.asked_at',
    'scheduled_messages.cancel_on_answer scheduled_messages.only_open scheduled_messages.version',
  ),
  'POST /api/scheduled-messages/{id}/cancel': changing(
    { what: "one's own", sees: 'reader', status: 200, targets: each(makeOwn, (id) => id) },
    '+audit_logs +events scheduled_messages.reason',
    ...ended,
  ),
  'POST /api/scheduled-messages/{id}/send': changing(
    {
      what: "one's own",
      sees: 'reader',
      status: 200,
      targets: each(makeOwn, (id) => ({ id, body: { version: 1 } })),
    },
    '+audit_logs +events +messages +outbox +conversation_people scheduled_messages.message_id',
    'conversations.waiting_for conversations.waiting_since conversations.message_count',
    'conversations.last_message_id conversations.last_activity_at conversations.version',
    ...ended,
  ),
} satisfies Recipes

export const acts = {
  'a message is scheduled': [
    2,
    onTalk((world, talk) =>
      call(world, 'POST', `${talk.id}/scheduled-messages`, {
        ...body,
        content: `agendada ${++world.count}`,
        sendAt: tomorrow(),
        cancelOnAnswer: world.random() < 0.5,
      }),
    ),
  ],
  'a scheduled message is sent or cancelled': [
    2,
    async (world) => {
      const [found] = await rows<{ id: number; version: number }>(
        world.database,
        sql`select id, version from scheduled_messages where state = 'pending' order by random() limit 1`,
      )
      const who = anyone(world)
      if (!found || !who) return
      const path = `/api/scheduled-messages/${found.id}`
      if (world.random() < 0.5) await world.request(who, 'POST', `${path}/cancel`)
      else await world.request(who, 'POST', `${path}/send`, { version: found.version })
    },
  ],
} satisfies Acts

export const broughtBy = { scheduled_changed: 'a message is scheduled' } as const satisfies BroughtBy

export const things = {
  // One goes with its conversation.
  'scheduled message': async ({ world, holderId, talks: { foreign, archived } }) => ({
    foreign: await insertScheduled(world, foreign.id, holderId),
    archived: await insertScheduled(world, archived.id, holderId),
    deleted: neverId,
    never: neverId,
  }),
} satisfies MakeThings
