import { sql } from 'drizzle-orm'
import type { LiveFrame } from '#shared/live-events.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { flagsOf } from '../access/law/expected.ts'
import { type Ear, listenAll, untilHeard } from '../access/world/sockets.ts'
import type { Random } from '#simulator/random.ts'
import { type Found, grouped } from './grouped.ts'
import { isCompleted, knows, reads } from './law.ts'
import type { Listed } from './lists.ts'
import { tells } from './listing.ts'
import { type Reader, readers } from './people.ts'
import type { Talk } from './talks.ts'
import type { ReachWorld } from './world.ts'

/** The text of the message by which a conversation changes. */
const textOf = ({ id }: Pick<Talk, 'id'>) => `novidade-${id}-secreta`

/** What is logged of every conversation here: fewer than a replay sends. */
const types = [
  'new_conversation',
  'conversation_updated',
  'conversation_transferred',
  'timeline_changed',
] as const

/** A message in each of the conversations, with everything that may be logged of one. */
export async function changeAll({ world }: ReachWorld, talks: readonly Pick<Talk, 'id'>[]): Promise<void> {
  await inTransaction(world.at.databases[0], async (db) => {
    for (const talk of talks) {
      const [made] = await rows<{ id: number }>(
        db,
        sql`insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
            select id, instance_id, 'contact', ${textOf(talk)}, app_now(), app_now() from conversations
             where id = ${talk.id} returning id`,
      )
      await db.execute(sql`update conversations set version = version + 1, last_message_id = ${made?.id ?? 0}
                            where id = ${talk.id}`)
      const conversationId = talk.id
      for (const type of types) db.emit({ type, conversationId })
      const messageId = made?.id ?? 0
      db.emit({ type: 'new_message', conversationId, messageId })
      db.emit({ type: 'message_received', conversationId, messageId })
    }
  })
}

/** Somebody who knows of everything opens each of the conversations, and types in it. */
async function lookAt(eye: Ear, talks: readonly Talk[]): Promise<void> {
  for (const { id } of talks) {
    eye.send({ type: 'viewing', data: { conversationId: id } })
    eye.send({ type: 'typing', data: { conversationId: id, isTyping: true } })
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}

/** Everybody says that they are at a conversation which they do not see. */
function pretend(ears: readonly Ear[], talks: readonly Talk[]): void {
  for (const [n, ear] of ears.entries()) {
    const hidden = talks.find((talk) => !isCompleted(talk) && !reads(readers[n] as Reader, n, talk))
    if (!hidden) continue
    ear.send({ type: 'viewing', data: { conversationId: hidden.id } })
    ear.send({ type: 'typing', data: { conversationId: hidden.id, isTyping: true } })
  }
}

/** @returns who is said to be at a conversation that they do not see */
function strangerIn(
  frame: LiveFrame,
  ears: readonly Ear[],
  byId: ReadonlyMap<number, Talk>,
): string | undefined {
  const said =
    frame.type === 'viewing'
      ? frame.data.conversations.flatMap(({ conversationId, people }) =>
          people.map(({ id }) => ({ conversationId, id })),
        )
      : frame.type === 'typing'
        ? frame.data.typing.map(({ conversationId, by }) => ({ conversationId, id: by?.id }))
        : []
  for (const { conversationId, id } of said) {
    const [talk, n] = [byId.get(conversationId), ears.findIndex(({ caller }) => caller.userId === id)]
    if (talk && n >= 0 && !reads(readers[n] as Reader, n, talk)) return readers[n]?.name
  }
  return undefined
}

/** The conversations of which a frame says something. */
function aboutIn(frame: LiveFrame): number[] {
  const data = frame.data as Record<string, unknown>
  const many = (data['typing'] ?? data['conversations'] ?? []) as { conversationId: number }[]
  const ids = Array.isArray(many) ? many.map(({ conversationId }) => conversationId) : []
  return typeof data['conversationId'] === 'number' ? [...ids, data['conversationId']] : ids
}

/** @returns why the person may not have this frame */
function wrongWith(reader: Reader, n: number, talk: Talk, frame: LiveFrame): string | undefined {
  const known = knows(reader, n, talk)
  if (frame.type === 'conversation_removed') {
    const isBare = Object.keys(frame.data).join() === 'conversationId'
    const hasNumber = reader.role === 'admin' || !reader.isOfOneNumber || talk.number === 1
    return isBare && hasNumber ? undefined : 'a removal that tells something'
  }
  if (reads(reader, n, talk)) return undefined
  if (frame.type === 'typing' || frame.type === 'viewing')
    return known === 'whole' && flagsOf(reader).has('canViewConversations') ? undefined : 'who is at it'
  if (known !== 'card') return 'out of reach'
  const { conversation } = frame.data as { conversation?: { id: number; isCard?: boolean } }
  if (!conversation?.isCard) return 'no card'
  return tells(conversation) ? 'a card that tells something' : undefined
}

function judge(ears: readonly Ear[], talks: readonly Talk[], what: string, isAll: boolean): Found[] {
  const byId = new Map(talks.map((talk) => [talk.id, talk]))
  return ears.flatMap((ear, n) => {
    const reader = readers[n] as Reader
    const faults: Found[] = []
    const add = (fault: string, example: string) =>
      faults.push({ what: `${what}: ${fault}`, example: `'${reader.name}': ${example.slice(0, 200)}` })
    for (const frame of ear.frames) {
      const text = JSON.stringify(frame)
      const stranger = strangerIn(frame, ears, byId)
      if (stranger !== undefined) add(`${frame.type}, somebody at what they do not see`, stranger)
      for (const id of aboutIn(frame)) {
        const talk = byId.get(id)
        const wrong = talk && wrongWith(reader, n, talk, frame)
        if (wrong) add(`${frame.type}, ${wrong}`, text)
      }
      for (const [, id] of text.matchAll(/novidade-(\d+)-secreta/g)) {
        const talk = byId.get(Number(id))
        if (talk && !reads(reader, n, talk)) add(`${frame.type}, with the text of a message`, text)
      }
    }
    if (!isAll) return faults
    const heard = new Set(ear.frames.flatMap((frame) => (frame.type === 'new_message' ? aboutIn(frame) : [])))
    const missed = talks.filter((talk) => reads(reader, n, talk) && !heard.has(talk.id))
    if (missed.length > 0)
      add('a message of a conversation that they read is not heard', String(missed.length))
    const shown = new Set(
      ear.frames.flatMap((frame) => (frame.type === 'conversation_updated' ? aboutIn(frame) : [])),
    )
    const cards = talks.filter((talk) => knows(reader, n, talk) === 'card' && !shown.has(talk.id))
    if (cards.length > 0) add('a card is not heard of', String(cards.length))
    return faults
  })
}

/** Everybody listens to a change of every kind of conversation, then once more from before it. */
export async function trySockets(at: ReachWorld, random: Random): Promise<Listed> {
  const { world, all } = at
  const shared = all.filter(({ owner }) => owner === undefined)
  const own = all.filter(({ owner }) => owner !== undefined)
  const some = Array.from({ length: 24 }, () => own[Math.floor(random() * own.length)] as Talk)
  const talks = [...new Set([...shared, ...some])]
  const ears = await listenAll(world, world.callers)
  const eyes = await listenAll(world, [world.colleague])
  const greeted = ears.map((ear) => ear.frames.find(({ type }) => type === 'hello'))
  try {
    for (const ear of [...ears, ...eyes])
      ear.send({ type: 'authenticate', data: { userId: ear.caller.userId } })
    await changeAll(at, talks)
    // The colleague knows of everything.
    pretend(ears, shared)
    await lookAt(eyes[0] as Ear, talks)
    await untilHeard(world, ears)
    const faults = judge(ears, talks, 'as it happens', true)
    let heard = ears.reduce((sum, { frames }) => sum + frames.length, 0)
    for (const ear of ears) ear.close()
    const again = await listenAll(world, world.callers)
    for (const [n, ear] of again.entries()) {
      const { cursor: lastCursor, epoch } = greeted[n] ?? {}
      ear.send({ type: 'authenticate', data: { userId: ear.caller.userId, lastCursor, epoch } })
    }
    await untilHeard(world, again)
    faults.push(...judge(again, talks, 'from an old cursor', true))
    heard += again.reduce((sum, { frames }) => sum + frames.length, 0)
    for (const ear of again) ear.close()
    return { checked: heard, faults: grouped(faults) }
  } finally {
    for (const ear of [...ears, ...eyes]) ear.close()
  }
}
