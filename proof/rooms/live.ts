import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { LiveFrame } from '#shared/live-events.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { projectFolder } from '../../scripts/start-line.ts'
import type { Outcome } from '../access/law/expected.ts'
import type { Caller } from '../access/world/people.ts'
import { changing, type Recipes, type Watch } from '../access/recipe.ts'
import { type Ear, listenAll, untilHeard } from '../access/world/sockets.ts'
import type { World } from '../access/world/world.ts'
import { oneTalk, plain } from '../access/targets.ts'

/** Connects everybody, lets something happen, and asks of each who was greeted whether they heard of it. */
const watching =
  (cause: (world: World, ears: Ear[]) => Promise<(frame: LiveFrame) => boolean>): Watch['observe'] =>
  async (world, callers) => {
    const ears = await listenAll(world, callers)
    try {
      const isAboutIt = await cause(world, ears)
      await untilHeard(world, ears)
      return ears.map((ear): Outcome => ear.refused ?? (ear.frames.some(isAboutIt) ? 'frame' : 'no frame'))
    } finally {
      for (const ear of ears) ear.close()
    }
  }

const conversationOf = ({ data }: LiveFrame) => ('conversationId' in data ? data.conversationId : undefined)

/** A new message of ours, and a conversation that is deleted, by people who may. */
async function happenings(world: World): Promise<(frame: LiveFrame) => boolean> {
  const { id } = await oneTalk(world, 'colleague')
  const { id: deletedId } = await oneTalk(world, 'colleague')
  const admin = world.callers.find(({ principal }) => principal.name === 'admin')
  const deleted = await world.send(1, {
    method: 'DELETE',
    path: `/api/conversations/${deletedId}`,
    token: admin?.token,
  })
  if (deleted.status !== 204) throw new Error(`an administrator may not delete: ${deleted.status}`)
  const answer = await world.send(0, {
    method: 'POST',
    path: `/api/conversations/${id}/messages`,
    body: { content: 'Bom dia' },
    token: world.colleague.token,
  })
  if (answer.status !== 201) throw new Error(`the colleague may not answer: ${answer.status} ${answer.text}`)
  return (frame) => [id, deletedId].includes(conversationOf(frame) ?? 0)
}

/** A view and a text about the position, which only administrators see. */
async function newTracking(world: World): Promise<(frame: LiveFrame) => boolean> {
  const { id } = await oneTalk(world, 'colleague')
  await world.send(1, {
    method: 'POST',
    path: `/api/conversations/${id}/view`,
    body: { action: 'enter' },
    token: world.colleague.token,
  })
  await inTransaction(world.at.databases[0], async (db) => {
    const { rows } = await db.execute<{ id: number }>(
      sql`insert into messages (conversation_id, instance_id, sender_type, content, message_type, sort_at,
            sent_at)
          values (${id}, ${world.at.instanceId}, 'user', 'Posição 1', 'queue_position', app_now(), app_now())
          returning id`,
    )
    db.emit({ type: 'new_message', conversationId: id, messageId: rows[0]?.id ?? 0 })
  })
  const isOurs = (type: string) => type === 'view_tracking' || type.startsWith('queue_')
  return (frame) => frame.type === 'new_message' && isOurs(frame.data.message.messageType)
}

/** Everybody asks for the figures; they are answered one by one, outside the log. */
async function askForStats(_world: World, ears: Ear[]): Promise<(frame: LiveFrame) => boolean> {
  for (const ear of ears) if (ear.refused === undefined) ear.send({ type: 'request_stats', data: {} })
  const isStats = (frame: LiveFrame) => frame.type === 'stats_update'
  const count = () => ears.filter(({ frames }) => frames.some(isStats)).length
  for (let last = -1, calm = 0; calm < 10; last = count()) {
    await sleep(100)
    calm = count() === last ? calm + 1 : 0
  }
  return isStats
}

const greeted = (): Promise<(frame: LiveFrame) => boolean> =>
  Promise.resolve((frame) => frame.type === 'hello' && typeof frame.data.gatewayConnected === 'boolean')

const webhookBody: unknown = JSON.parse(
  readFileSync(join(projectFolder, 'src/simulator/payloads/messages.upsert.conversation.pn.json'), 'utf8'),
)

const frames = (what: string, cause: Parameters<typeof watching>[0]): Watch => ({
  what,
  permitted: 'frame',
  refused: 'no frame',
  observe: watching(cause),
})

/** The sockets, and the gateway's webhook. */
export const recipes = {
  'WS /ws upgrade': {
    what: 'an upgrade',
    permitted: 101,
    async observe(world: World, callers: readonly Caller[]) {
      const ears = await listenAll(world, callers)
      for (const ear of ears) ear.close()
      return ears.map(({ refused }) => refused ?? 101)
    },
  },
  'WS recv conversation and message events': frames('a new message, and a deletion', happenings),
  'WS recv queue*/view_tracking rows': frames('a view, and a text about the position', newTracking),
  'WS recv stats_update': frames('the figures', askForStats),
  'WS recv gatewayConnected boolean': frames('the state of the gateway', greeted),
  'POST /api/webhook/evolution': changing(
    plain("a client's message, without the gateway's secret", webhookBody as Record<string, unknown>),
  ),
} satisfies Recipes
