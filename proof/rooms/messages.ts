import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { type MakeThings, ofTalks } from '../references/thing.ts'
import { makeMessages } from '../access/world/messages.ts'
import { changing, type Case, type Recipes, type Target } from '../access/recipe.ts'
import type { Caller } from '../access/world/people.ts'
import type { Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { recordedAndPushed, answered, assigned, sent } from '../access/owned.ts'
import { each, idOf, once, oneTalk, plain, shared, talks } from '../access/targets.ts'
import { act } from './conversations.ts'

const base = '/api/conversations'

/** An own message of each caller in a conversation of theirs. */
const ownMessages =
  (state: 'pending' | 'failed') =>
  async (world: World, callers: readonly Caller[]): Promise<{ talk: Talk; id: number }[]> => {
    const made = await talks('own')(world, callers)
    const wanted = made.map((talk, n) => ({
      conversationId: talk.id,
      senderId: idOf(world, callers[n] as Caller),
      state,
    }))
    const ids = await makeMessages(world, wanted)
    return made.map((talk, n) => ({ talk, id: ids[n] ?? 0 }))
  }

/** A conversation whose message is known to the gateway. */
async function realTalk(world: World): Promise<Pick<Talk, 'id' | 'messageId'>> {
  const { control } = world.at.simulator
  const number = `55119${String(world.next()).padStart(8, '0')}`
  const phone = control.createPhone({ name: 'Cliente de verdade', number })
  control.sendText(phone.id, 'Bom dia')
  for (let tries = 0; tries < 500; tries++) {
    const [talk] = await rows<{ id: number; messageId: number }>(
      world.database,
      sql`select c.id, m.id as "messageId" from contacts k join conversations c on c.contact_id = k.id
            join messages m on m.conversation_id = c.id
           where k.phone = ${number} and m.sender_type = 'contact'`,
    )
    if (talk) return talk
    await sleep(20)
  }
  throw new Error('a message of a client did not arrive')
}

const onOwn = (
  state: 'pending' | 'failed',
  suffix: string,
  status: number,
  body?: Record<string, unknown>,
): Case => ({
  what: 'own',
  sees: 'reader',
  status,
  targets: each(ownMessages(state), ({ talk, id }) => ({
    path: `${base}/${talk.id}/messages/${id}${suffix}`,
    ...(body && { body }),
  })),
})

/** To what a person reads, whether or not it is open. */
const readable = (status: number, target: (talk: Talk) => Target): Case[] => [
  { what: 'of a colleague', sees: 'reader', status, targets: each(talks('colleague'), target) },
  { what: 'completed, of a colleague', sees: 'archive', status, targets: shared('colleague', true, target) },
  { what: 'completed, own', sees: 'reader', status, targets: each(talks('own', true), target) },
]

/** The calls about single messages, drafts and read positions. */
export const recipes = {
  'POST /api/conversations/{id}/messages': changing(
    act('/messages', () => ({ content: 'Bom dia' }), 201),
    sent,
    assigned,
    answered,
    recordedAndPushed,
  ),
  'POST /api/conversations/{id}/messages/{messageId}/forward (conversation)': changing(
    [
      {
        what: 'to an open one',
        sees: 'reader',
        status: 201,
        targets: each(talks('colleague'), (talk, _caller) => ({
          path: `${base}/${talk.id}/messages/${talk.messageId}/forward`,
          body: { to: { conversationId: talk.id } },
        })),
      },
      {
        what: 'from a completed one of a colleague',
        sees: 'archive',
        status: 201,
        targets: async (world, callers) => {
          const from = await oneTalk(world, 'colleague', true)
          const to = await oneTalk(world, 'colleague')
          const path = `${base}/${from.id}/messages/${from.messageId}/forward`
          return callers.map(() => ({ path, body: { to: { conversationId: to.id } } }))
        },
      },
    ],
    sent,
    answered,
    '+events',
  ),
  'POST /api/conversations/{id}/messages/{messageId}/forward (contact)': changing(
    ['', ', by a number'].map((how): Case => ({
      what: `to a contact without an open conversation${how}`,
      sees: 'reader',
      status: 201,
      targets: async (world, callers) => {
        const from = await oneTalk(world, 'colleague')
        const path = `${base}/${from.id}/messages/${from.messageId}/forward`
        const receivers = await talks('colleague', true)(world, callers)
        const number = how === '' ? {} : { instanceId: world.at.instanceId }
        return receivers.map(({ contactId }) => ({ path, body: { to: { contactId, ...number } } }))
      },
    })),
    sent,
    recordedAndPushed,
    '+conversations',
  ),
  'POST /api/conversations/{id}/messages/{messageId}/undo': changing(
    onOwn('pending', '/undo', 204),
    recordedAndPushed,
    '+undone_sends -messages -outbox conversations.last_message_id conversations.message_count',
    'conversations.version conversations.waiting_since',
  ),
  'POST /api/conversations/{id}/messages/{messageId}/retry': changing(
    onOwn('failed', '/retry', 200),
    '+events messages.delivery_status messages.version outbox.state',
    'conversations.auto_close_from conversations.version conversations.waiting_for',
    'conversations.waiting_since',
  ),
  'PUT /api/conversations/{id}/messages/{messageId}': changing(
    onOwn('pending', '', 200, { content: 'Boa tarde' }),
    recordedAndPushed,
    'messages.content messages.version',
  ),
  'DELETE /api/conversations/{id}/messages/{messageId}': changing(
    onOwn('pending', '', 200),
    recordedAndPushed,
    'conversations.version conversations.waiting_since messages.deleted_at messages.delivery_status',
    'messages.version outbox.state',
  ),
  'PUT /api/conversations/{id}/messages/{messageId}/reaction': changing(
    {
      what: "a client's message",
      sees: 'reader',
      status: 200,
      targets: once(async (world) => {
        const { id, messageId } = await realTalk(world)
        return { path: `${base}/${id}/messages/${messageId}/reaction`, body: { emoji: '👍' } }
      }),
    },
    '+events +message_reactions message_reactions.reacted_at +pending_updates +webhook_inbox',
    'conversations.version',
    'messages.version webhook_inbox.processed_at',
  ),
  'GET /api/drafts': plain("one's own"),
  'PUT /api/conversations/{id}/draft': changing(
    {
      what: 'of a colleague',
      sees: 'reader',
      status: 200,
      targets: each(talks('colleague'), (talk) => ({
        path: `${base}/${talk.id}/draft`,
        body: { content: 'Vou ver', quotedMessageId: talk.messageId },
      })),
    },
    '+conversation_drafts +events',
  ),
  'POST /api/conversations/{id}/view': changing(
    [
      ...readable(204, (talk) => ({ path: `${base}/${talk.id}/view`, body: { action: 'enter' } })),
      {
        what: 'leaving',
        sees: 'reader',
        status: 204,
        targets: once(async (world) => ({
          path: `${base}/${(await oneTalk(world, 'colleague')).id}/view`,
          body: { action: 'leave' },
        })),
      },
    ],
    '+events +messages',
  ),
  'GET /api/conversations/reads': plain("one's own"),
  'PUT /api/conversations/{id}/read': changing(
    readable(200, (talk) => ({ path: `${base}/${talk.id}/read`, body: { lastMessageId: talk.messageId } })),
    '+conversation_reads +events',
  ),
  'DELETE /api/conversations/{id}/read': changing(
    readable(200, (talk) => ({ path: `${base}/${talk.id}/read` })),
    '+conversation_reads +events',
  ),
} satisfies Recipes

export const things = {
  message: ofTalks(({ messageId }) => messageId),
} satisfies MakeThings
