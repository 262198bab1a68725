import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { type Case, changing, type Recipes } from '../access/recipe.ts'
import { rowOf } from '../access/law/table.ts'
import { always, each, idOf, shared, talks } from '../access/targets.ts'
import type { Talk } from '../access/world/talks.ts'
import { type Acts, anyone, type BroughtBy, call, onTalk, pick } from '../walk/writing.ts'

const base = '/api/conversations'

const following = ({ id }: Talk) => ({ path: `${base}/${id}/follow` })
/** Of what a person reads, whether or not it is open. */
const readable: Case[] = [
  { what: 'of a colleague', sees: 'reader', status: 200, targets: each(talks('colleague'), following) },
  {
    what: 'completed, of a colleague',
    sees: 'archive',
    status: 200,
    targets: shared('colleague', true, following),
  },
  { what: 'completed, own', sees: 'reader', status: 200, targets: each(talks('own', true), following) },
]

const mentionable = ({ id }: Talk) => ({ path: `${base}/${id}/mentionable` })

/** The calls about mentions, notices, and following. */
export const recipes = {
  'GET /api/notifications': [
    { what: 'mentions', status: 200, targets: always('/api/notifications?tab=mentions') },
    { what: 'notices', status: 200, targets: always('/api/notifications?tab=updates') },
  ],
  'GET /api/notifications/unread': {
    what: "one's own",
    status: 200,
    targets: always('/api/notifications/unread'),
  },
  'POST /api/notifications/read': changing(
    {
      what: "one's own, of a conversation",
      status: 204,
      targets: async (world, callers) => {
        const made = await talks('colleague')(world, callers)
        await world.database.execute(
          sql`insert into notifications (user_id, kind, conversation_id, message_id)
              select n."userId", 'mention', n."conversationId", n."messageId"
                from jsonb_to_recordset(${JSON.stringify(
                  made.map(({ id, messageId }, n) => ({
                    userId: idOf(world, callers[n] ?? ({ userId: 0 } as never)),
                    conversationId: id,
                    messageId,
                  })),
                )}::jsonb) as n("userId" int, "conversationId" int, "messageId" int)`,
        )
        return made.map(({ id }) => ({ body: { conversationId: id } }))
      },
    },
    '+events notifications.read_at',
  ),
  'GET /api/conversations/{id}/follow': readable,
  'PUT /api/conversations/{id}/follow': changing(readable, '+conversation_followers'),
  'DELETE /api/conversations/{id}/follow': changing(readable, '-conversation_followers'),
  'GET /api/conversations/{open}/mentionable': [
    { what: 'of a colleague', sees: 'reader', status: 200, targets: each(talks('colleague'), mentionable) },
    { what: 'in the FILA', sees: 'reader', status: 200, targets: each(talks('nobody'), mentionable) },
  ],
  'GET /api/conversations/{completed}/mentionable': [
    {
      what: 'of a colleague',
      sees: 'archive',
      status: 200,
      targets: each(talks('colleague', true), mentionable),
    },
    {
      what: 'own',
      sees: 'reader',
      needs: rowOf('GET /api/conversations/{open}/mentionable'),
      status: 200,
      targets: each(talks('own', true), mentionable),
    },
  ],
} satisfies Recipes

export const acts = {
  'a conversation is followed, or no longer': [
    2,
    onTalk((world, talk) => call(world, world.random() < 0.7 ? 'PUT' : 'DELETE', `${talk.id}/follow`)),
  ],
  'a note mentions somebody': [
    2,
    onTalk(async (world, talk) => {
      const people = await rows<{ id: number; name: string }>(
        world.database,
        sql`select id, name from users where is_active and not is_blocked and deleted_at is null order by id`,
      )
      const person = pick(world.random, people)
      if (!person) return
      const content = `@${person.name} nota ${++world.count}`
      await call(world, 'POST', `${talk.id}/notes`, { content, mentions: [{ userId: person.id }] })
    }),
  ],
  'somebody reads what they were told': [
    2,
    async (world) => {
      const who = anyone(world)
      if (who) await world.request(who, 'POST', '/api/notifications/read', {})
    },
  ],
} satisfies Acts

export const broughtBy = {
  mentioned: 'a note mentions somebody',
  notifications_changed: 'somebody reads what they were told',
} as const satisfies BroughtBy
