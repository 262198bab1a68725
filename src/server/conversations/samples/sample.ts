import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import {
  messageReactions,
  messageVersions,
  messageVotes,
} from '#server/schema/conversations/message-changes.ts'
import { queuePendingConversations } from '#server/schema/conversations/queue.ts'
import { conversationRatings } from '#server/schema/conversations/ratings.ts'
import { conversationReads } from '#server/schema/conversations/reads.ts'
import { insertAll, takeIds, takeNumbers } from './sample-bulk.ts'
import {
  conversationRow,
  isCounted,
  messageRow,
  type PlacedConversation,
  placeConversation,
  type PlacedMessage,
  queueRow,
  ratingRow,
  readRow,
} from './sample-rows.ts'
import type { SampleConversation } from './sample-types.ts'

export type { SampleConversation, SampleMessage } from './sample-types.ts'

const conversationsAtOnce = 250

/**
 * Writes conversations with their own times, of any age, as the product itself would have left them. In bulk
 * and without events: for a database that nobody uses yet.
 */
export async function writeSamples(db: Db, samples: readonly SampleConversation[]): Promise<void> {
  const filled = samples.filter((sample) => sample.messages.length > 0)
  const ids = await takeIds(db, conversations, filled.length)
  const protocols = await takeNumbers(db, sql`nextval('conversation_protocol')`, filled.length)
  const messageCount = filled.reduce((sum, sample) => sum + sample.messages.length, 0)
  const messageIds = (await takeIds(db, messages, messageCount)).values()
  const placed = filled.map((sample, index) =>
    placeConversation(sample, ids[index] ?? 0, protocols[index] ?? 0, messageIds),
  )
  await insertAll(db, conversations, placed.map(conversationRow))
  // Some at a time: all rows at once would take more memory than anything else at a start.
  for (let from = 0; from < placed.length; from += conversationsAtOnce)
    await insertAll(
      db,
      messages,
      placed
        .slice(from, from + conversationsAtOnce)
        .flatMap((one) => one.messages.map((message) => messageRow(one, message))),
    )
  await insertAll(db, queuePendingConversations, placed.flatMap(queueRow))
  await insertAll(db, conversationRatings, placed.flatMap(ratingRow))
  await insertAll(db, conversationReads, placed.flatMap(readRow))
  await writeChanges(
    db,
    placed.flatMap((one) => one.messages),
  )
  await writeLastMessages(db, placed)
  // Until its own analysis the database plans as if these tables were empty, and reads them whole for each
  // row.
  await db.execute(sql`analyze conversations, messages`)
}

/** Edits, reactions and votes. */
async function writeChanges(db: Db, all: readonly PlacedMessage[]): Promise<void> {
  await insertAll(
    db,
    messageVersions,
    all.flatMap(({ id, message }) =>
      (message.versions ?? []).map(({ text, replacedAt }, index, versions) => ({
        messageId: id,
        content: text,
        saidAt: versions[index - 1]?.replacedAt ?? null,
        replacedAt,
      })),
    ),
  )
  await insertAll(
    db,
    messageReactions,
    all.flatMap(({ id, message }) =>
      (message.reactions ?? []).map(({ from, emoji, at }) => ({
        messageId: id,
        sender: from,
        emoji,
        reactedAt: at,
      })),
    ),
  )
  await insertAll(
    db,
    messageVotes,
    all.flatMap(({ id, message }) =>
      (message.votes ?? []).map(({ from, options, at }) => ({
        messageId: id,
        sender: from,
        options,
        votedAt: at,
      })),
    ),
  )
}

/** Conversations and messages refer to each other, so this comes when both are there. */
async function writeLastMessages(db: Db, placed: readonly PlacedConversation[]): Promise<void> {
  const last = placed.flatMap(({ id, messages: all }) => {
    const newest = all.findLast((one) => isCounted(one) && one.message.from !== 'automatic')
    return newest ? [{ id, last: newest.id }] : []
  })
  await db.execute(sql`update conversations c set last_message_id = n.last
    from json_to_recordset(${JSON.stringify(last)}::json) as n(id int, last int) where n.id = c.id`)
}
