import { sql } from 'drizzle-orm'
import { callOutcomes, type MessageMetadata } from '#shared/messages/message-metadata.ts'
import { callText } from '#shared/text/text.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { changeMessage, updateConversation } from '#server/conversations/store/change.ts'
import { lockConversation, lockMessageByWaId } from '#server/conversations/store/lock.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { receiveMessage } from './receive.ts'

type Call = Extract<GatewayEvent, { kind: 'call' }>

/**
 * Records a contact's WhatsApp call as one line in the conversation, with its outcome. Events of a call come
 * in any order: 'answered' outranks 'missed', which outranks 'ringing'. Like a message a call opens a
 * conversation, and the contact waits for an operator until somebody answers it on the connected phone.
 */
export async function recordCall(db: Tx, instanceId: number, event: Call): Promise<void> {
  const { peer, outcome, isVideo } = event
  const waId = `call:${event.callId}`
  const call = { isVideo, outcome }
  await receiveMessage(db, instanceId, {
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
  await recordOutcome(db, instanceId, waId, call)
}

const rankOf = (call: MessageMetadata['call']) => (call ? callOutcomes.indexOf(call.outcome) : -1)

async function recordOutcome(
  db: Tx,
  instanceId: number,
  waId: string,
  reported: NonNullable<MessageMetadata['call']>,
): Promise<void> {
  const line = await lockMessageByWaId(db, instanceId, waId)
  if (!line || line.metadata.isErased) return
  const before = line.metadata.call
  // Only the offer says that it is a video call.
  const call = {
    isVideo: reported.isVideo || (before?.isVideo ?? false),
    outcome: rankOf(reported) > rankOf(before) ? reported.outcome : (before?.outcome ?? reported.outcome),
  }
  if (call.isVideo === before?.isVideo && call.outcome === before.outcome) return
  await changeMessage(db, line, {
    content: callText(call),
    metadata: { ...line.metadata, call },
  })
  if (call.outcome !== 'answered') return
  const open = await lockConversation(db, line.conversationId)
  if (!open || open.status === 'completed') return
  await updateConversation(db, open, {
    ...(await waitingOf(db, line.conversationId)),
    lastActivityAt: sql`greatest(${conversations.lastActivityAt}, app_now())`,
  })
  db.emit({ type: 'conversation_updated', conversationId: line.conversationId })
  db.emit({ type: 'queue_changed' })
}
