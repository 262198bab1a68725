import { sql } from 'drizzle-orm'
import type { priorities } from '#shared/conversations.ts'
import type { DeliveryStatus } from '#shared/delivery.ts'
import { isCountedMessage, type MessageType } from '#shared/message-kinds.ts'
import type { MessageMetadata } from '#shared/message-metadata.ts'
import type { senderTypes } from '#shared/messages.ts'
import type { FailureReason } from '#shared/text.ts'
import type { Db } from '#server/platform/database/db.ts'
import {
  conversationRatings,
  conversationReads,
  conversations,
  messages,
} from '#server/schema/conversations.ts'
import { messageReactions, messageVersions, messageVotes } from '#server/schema/message-changes.ts'
import { queuePendingConversations } from '#server/schema/queue.ts'
import { insertAll, takeIds, takeNumbers } from './sample-bulk.ts'

type Sender = (typeof senderTypes)[number]

/** `Operator`: how one is named; to be written, by the id. */
export interface SampleMessage<Operator = number> {
  /** null: it never left. */
  waId: string | null
  /** 'phone': written on the connected phone; 'automatic': one of the settings' texts. */
  from: 'contact' | 'phone' | 'automatic' | { operator: Operator }
  text: string
  at: Date
  /** When we heard of it, when that was later. */
  arrivedAt?: Date
  /** Absent: text. */
  type?: MessageType
  file?: { name: string | null; mimeType: string; sizeBytes: number }
  metadata?: MessageMetadata
  quotes?: { waId: string; text: string }
  /** Of ours; absent: read. */
  status?: DeliveryStatus
  failureReason?: FailureReason
  /** What it said before, oldest first. */
  versions?: readonly { text: string; replacedAt: Date }[]
  deletedAt?: Date
  pinnedAt?: Date
  reactions?: readonly { from: Sender; emoji: string; at: Date }[]
  votes?: readonly { from: Sender; options: string[]; at: Date }[]
}

/** A conversation that already was: for demonstrations. Nothing of it is sent. */
export interface SampleConversation<Operator = number> {
  instanceId: number
  contactId: number
  assignedUserId: Operator | null
  initiatedBy: 'contact' | 'operator'
  priority?: (typeof priorities)[number]
  disableAutoClose?: boolean
  notes?: string
  /** Present: it was completed then. */
  completedAt?: Date
  rating?: { value: number; feedback: string | null; at: Date }
  /** In the order of their times; the first one begins the conversation. */
  messages: readonly SampleMessage<Operator>[]
}

interface Placed {
  id: number
  protocol: string
  sample: SampleConversation
  messages: { id: number; responseMs: number | null; said: SampleMessage }[]
  /** Since when the client waits at the end. */
  waitingSince: Date | null
  firstAnswerAt: Date | null
  lastActivityAt: Date
  startedAt: Date
}

const talksAtOnce = 250

/**
 * Writes conversations with their own times, whatever their age, as the product itself would have left them. In bulk, and
 * without an event: meant for a database that nobody looks at yet.
 */
export async function writeSamples(db: Db, samples: readonly SampleConversation[]): Promise<void> {
  const kept = samples.filter((sample) => sample.messages.length > 0)
  const ids = await takeIds(db, conversations, kept.length)
  const protocols = await takeNumbers(db, sql`nextval('conversation_protocol')`, kept.length)
  const messageCount = kept.reduce((sum, sample) => sum + sample.messages.length, 0)
  const messageIds = (await takeIds(db, messages, messageCount)).values()
  const placed = kept.map((sample, index) =>
    place(sample, ids[index] ?? 0, protocols[index] ?? 0, messageIds),
  )
  await insertAll(db, conversations, placed.map(conversationRow))
  // Some at a time: all rows of all messages at once would be the most memory that a start ever takes.
  for (let from = 0; from < placed.length; from += talksAtOnce)
    await insertAll(
      db,
      messages,
      placed
        .slice(from, from + talksAtOnce)
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
  // Until the database counts them by itself it plans as if these tables were empty, and reads them whole for each row.
  await db.execute(sql`analyze conversations, messages`)
}

function place(
  sample: SampleConversation,
  id: number,
  protocolNumber: number,
  messageIds: Iterator<number>,
): Placed {
  const startedAt = sample.messages[0]?.at ?? new Date(0)
  let waitingSince: Date | null = null
  let firstAnswerAt: Date | null = null
  let lastActivityAt = startedAt
  const placed: Placed['messages'] = []
  for (const said of sample.messages) {
    const isAnswer = typeof said.from === 'object' && isCountedMessage(said.type ?? 'text')
    const responseMs = isAnswer && waitingSince ? said.at.getTime() - waitingSince.getTime() : null
    placed.push({ id: messageIds.next().value ?? 0, responseMs, said })
    if (said.from === 'contact') waitingSince ??= said.at
    else if (isAnswer || said.from === 'phone') waitingSince = null
    if (isAnswer) firstAnswerAt ??= said.at
    if (said.from === 'contact' || isAnswer || said.from === 'phone') lastActivityAt = said.at
  }
  const protocol = `${saoPauloDay.format(startedAt).replaceAll('-', '')}${String(protocolNumber).padStart(6, '0')}`
  return { id, protocol, sample, messages: placed, waitingSince, firstAnswerAt, lastActivityAt, startedAt }
}

/** 2026-03-31; a protocol begins with the day on which its conversation began. */
const saoPauloDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' })

function conversationRow({
  id,
  protocol,
  sample,
  waitingSince,
  lastActivityAt,
  startedAt,
  messages: all,
}: Placed) {
  const isTaken = sample.assignedUserId !== null
  const { completedAt } = sample
  const isWaiting = !completedAt && waitingSince !== null
  return {
    id,
    instanceId: sample.instanceId,
    contactId: sample.contactId,
    protocol,
    assignedUserId: sample.assignedUserId,
    status: completedAt ? ('completed' as const) : isTaken ? ('active' as const) : ('waiting' as const),
    subStatus: isTaken || sample.initiatedBy === 'operator' ? ('OPERADOR' as const) : ('FILA' as const),
    waitingFor: isWaiting ? ('operator' as const) : ('client' as const),
    waitingSince: isWaiting ? waitingSince : null,
    priority: sample.priority ?? 'normal',
    initiatedBy: sample.initiatedBy,
    disableAutoClose: sample.disableAutoClose ?? false,
    startedAt,
    completedAt: completedAt ?? null,
    lastActivityAt,
    satisfaction: sample.rating?.value ?? null,
    notes: sample.notes ?? null,
    messageCount: all.filter(isCounted).length,
    contactMessageCount: all.filter(isOfContact).length,
    version: 1,
    createdAt: startedAt,
  }
}

const isCounted = ({ said }: Placed['messages'][number]) => isCountedMessage(said.type ?? 'text')
const isOfContact = (one: Placed['messages'][number]) => one.said.from === 'contact' && isCounted(one)

function messageRow(
  { id: conversationId, sample }: Placed,
  { id, responseMs, said }: Placed['messages'][number],
) {
  const isContact = said.from === 'contact'
  const type = said.type ?? 'text'
  const origin = said.from === 'phone' || said.from === 'automatic' ? { origin: said.from } : {}
  const isSent = !isContact && type !== 'view_tracking' && type !== 'event'
  return {
    id,
    conversationId,
    instanceId: sample.instanceId,
    senderId: typeof said.from === 'object' ? said.from.operator : null,
    senderType: isContact ? ('contact' as const) : ('user' as const),
    content: said.text,
    messageType: type,
    fileName: said.file?.name ?? null,
    fileMimeType: said.file?.mimeType ?? null,
    fileSize: said.file?.sizeBytes ?? null,
    whatsappMessageId: said.waId,
    quotedWhatsappId: said.quotes?.waId ?? null,
    quotedContent: said.quotes?.text ?? null,
    metadata: { ...said.metadata, ...origin },
    deliveryStatus: isSent ? (said.status ?? 'read') : null,
    failureReason: said.failureReason ?? null,
    responseMs,
    editedAt: said.versions?.at(-1)?.replacedAt ?? null,
    deletedAt: said.deletedAt ?? null,
    isPinned: said.pinnedAt !== undefined,
    pinChangedAt: said.pinnedAt ?? null,
    sortAt: said.at,
    sentAt: said.at,
    createdAt: said.arrivedAt ?? said.at,
    version: 1,
  }
}

function queueRow({ id, sample, startedAt, firstAnswerAt }: Placed) {
  if (sample.initiatedBy === 'operator') return []
  const processedAt =
    firstAnswerAt ?? sample.completedAt ?? (sample.assignedUserId === null ? null : startedAt)
  return [{ conversationId: id, contactId: sample.contactId, registeredAt: startedAt, processedAt }]
}

/** Whoever has an open conversation has read what he answered. */
function readRow({ id: conversationId, sample, messages: all }: Placed) {
  const answered = all.findLastIndex(({ said }) => typeof said.from === 'object')
  const last = all[answered]
  if (sample.completedAt || sample.assignedUserId === null || !last) return []
  const contactMessageCount = all.slice(0, answered).filter(isOfContact).length
  return [
    {
      userId: sample.assignedUserId,
      conversationId,
      lastMessageId: last.id,
      contactMessageCount,
      updatedAt: last.said.at,
    },
  ]
}

function ratingRow({ id, sample }: Placed) {
  if (!sample.rating) return []
  const { value, feedback, at } = sample.rating
  return [
    {
      conversationId: id,
      contactId: sample.contactId,
      operatorId: sample.assignedUserId,
      serviceRating: value,
      operatorRating: value,
      feedback,
      createdAt: at,
    },
  ]
}

/** What was made of messages later: edits, reactions, votes. */
async function writeChanges(db: Db, all: readonly Placed['messages'][number][]): Promise<void> {
  await insertAll(
    db,
    messageVersions,
    all.flatMap(({ id, said }) =>
      (said.versions ?? []).map(({ text, replacedAt }, index, versions) => ({
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
    all.flatMap(({ id, said }) =>
      (said.reactions ?? []).map(({ from, emoji, at }) => ({
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
    all.flatMap(({ id, said }) =>
      (said.votes ?? []).map(({ from, options, at }) => ({
        messageId: id,
        sender: from,
        options,
        votedAt: at,
      })),
    ),
  )
}

/** Conversations and messages point at each other, so this comes when both are there. */
async function writeLastMessages(db: Db, placed: readonly Placed[]): Promise<void> {
  const last = placed.flatMap(({ id, messages: all }) => {
    const message = all.findLast(isCounted)
    return message ? [{ id, last: message.id }] : []
  })
  await db.execute(sql`update conversations c set last_message_id = n.last
    from json_to_recordset(${JSON.stringify(last)}::json) as n(id int, last int) where n.id = c.id`)
}
