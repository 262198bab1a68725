import { eq, sql } from 'drizzle-orm'
import { callOutcomes, type MessageMetadata } from '#shared/message-metadata.ts'
import { callText } from '#shared/text.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import type { Db, Emit } from '#server/platform/db.ts'
import { conversations } from '#server/schema/conversations.ts'
import { changeMessage, lockMessage } from './delivery.ts'
import { receiveMessage } from './receive.ts'
import { waitingOf } from './waiting.ts'
import { updateConversation } from './write.ts'

type Call = Extract<GatewayEvent, { kind: 'call' }>

/**
 * A client's WhatsApp call is one line in the conversation, with whatever became of it: the news of a call come in any
 * order, and 'answered' says more than 'missed', which says more than 'ringing'. Like a message it opens a
 * conversation, and the client waits for the operator until somebody takes it on the connected phone.
 */
export async function recordCall(db: Db, emit: Emit, instanceId: number, event: Call): Promise<void> {
  const { peer, outcome, isVideo } = event
  const waId = `call:${event.callId}`
  const call = { isVideo, outcome }
  await receiveMessage(db, emit, instanceId, {
    kind: 'message',
    waId,
    peer,
    origin: 'contact',
    name: undefined,
    sentAt: event.at,
    content: {
      messageType: 'call',
      content: callText(call),
      fileName: undefined,
      mimeType: undefined,
      sizeBytes: undefined,
      metadata: { call },
    },
    quoted: undefined,
    isHistory: false,
  })
  await noteOutcome(db, emit, instanceId, waId, call)
}

const rankOf = (call: MessageMetadata['call']) => (call ? callOutcomes.indexOf(call.outcome) : -1)

async function noteOutcome(
  db: Db,
  emit: Emit,
  instanceId: number,
  waId: string,
  news: NonNullable<MessageMetadata['call']>,
): Promise<void> {
  const line = await lockMessage(db, instanceId, waId)
  if (!line) return
  const before = line.metadata.call
  // Only the offer tells that a call is one with picture.
  const call = {
    isVideo: news.isVideo || (before?.isVideo ?? false),
    outcome: rankOf(news) > rankOf(before) ? news.outcome : (before?.outcome ?? news.outcome),
  }
  if (call.isVideo === before?.isVideo && call.outcome === before.outcome) return
  await changeMessage(db, emit, line, {
    content: callText(call),
    metadata: { ...line.metadata, call },
  })
  const [open] = await db
    .select({ status: conversations.status, waitingFor: conversations.waitingFor })
    .from(conversations)
    .where(eq(conversations.id, line.conversationId))
  if (open?.status === 'completed' || call.outcome !== 'answered') return
  await updateConversation(db, line.conversationId, {
    ...(await waitingOf(db, line.conversationId)),
    lastActivityAt: sql`greatest(${conversations.lastActivityAt}, app_now())`,
  })
  emit({ type: 'conversation_updated', conversationId: line.conversationId })
  emit({ type: 'queue_changed' })
}
