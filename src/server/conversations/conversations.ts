import { nameByBook } from '#server/contacts/contacts.ts'
import { Aside, type EventHandlers, type GatewayEvent, recordConnection } from '#server/gateway/gateway.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { recordCall } from '#server/conversations/incoming/calls.ts'
import { recordChange } from '#server/conversations/messages/changes.ts'
import { handleBatch } from '#server/conversations/incoming/batch.ts'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import { noteUnreadable } from '#server/conversations/incoming/unreadable.ts'
import { notifyContactsChanged } from '#server/conversations/store/write.ts'

export {
  type CompletedWithin,
  countCompleted,
  deleteCompleted,
} from '#server/conversations/acts/delete-completed.ts'
export { closeOpen } from '#server/conversations/acts/close-blocked.ts'
export { notifyContactsChanged }
export { leaveSector } from '#server/conversations/acts/leave-sector.ts'
export { freeConversations } from '#server/conversations/acts/free-conversations.ts'
export { openUnasked } from '#server/conversations/automatic/choice-expiry.ts'
export { readAgain } from '#server/conversations/incoming/read-again.ts'
export { automationJobs, conversationJobs, type JobTimes } from './automation-jobs.ts'
export { type AvatarTimes, startAvatarWorker } from '#server/conversations/media/avatar-worker.ts'
export { startFetchWorker } from './media/fetch-worker.ts'
export { createMessageFiles } from './media/message-files.ts'
export { createSendReceipt, startReceiptWorker } from '#server/conversations/outgoing/receipts.ts'
export { indexAll, startSearchIndex } from '#server/conversations/archive/search-index.ts'
export { deliveryFigures } from '#server/conversations/reading/delivery-figures.ts'
export { findSendTroubles } from '#server/conversations/reading/send-troubles.ts'
export { startOutboxWorker } from '#server/conversations/outbox/outbox.ts'
export { endLeases } from '#server/conversations/outbox/outbox-unconfirmed.ts'
export { type OutboxTimes } from '#server/conversations/outbox/outbox-times.ts'
export {
  type SampleConversation,
  type SampleMessage,
  writeSamples,
} from '#server/conversations/samples/sample.ts'
export {
  type AssistantTimes,
  startAssistantWorker,
} from '#server/conversations/assistant/assistant-worker.ts'
export {
  startTranscriptionWorker,
  type TranscriptionTimes,
} from '#server/conversations/transcriptions/transcription-worker.ts'
export { restartTranscriptions } from '#server/conversations/messages/transcription-queue.ts'
export { statsFor } from '#server/conversations/reading/stats.ts'
export { isReplyHere } from '#server/conversations/store/waiting.ts'
export { isCountedHere } from '#server/conversations/store/counted-message.ts'
export { findReachFacts } from '#server/conversations/store/rows.ts'
export { createTyping, mayView } from '#server/conversations/outgoing/typing.ts'

/** Handlers of the gateway's events: of single ones, and of batches of the frequent kinds. */
export const eventHandlers: EventHandlers = { one: handleGatewayEvent, many: handleGatewayEvents }

/** Processes a single event completely; of several, those that can be written together. */
async function handleGatewayEvents(db: Tx, instanceId: number, events: GatewayEvent[]): Promise<boolean[]> {
  const [first, ...others] = events
  if (!first || others.length > 0) return handleBatch(db, instanceId, events)
  // An event that is kept aside had no effect, and has to be handled alone.
  return [!((await handleGatewayEvent(db, instanceId, first)) instanceof Aside)]
}

/** Runs once for each event, in the inbox's open transaction. */
export async function handleGatewayEvent(
  db: Tx,
  instanceId: number,
  event: GatewayEvent,
): Promise<Aside | void> {
  switch (event.kind) {
    case 'message':
      return receiveMessage(db, instanceId, event)
    case 'delivery':
    case 'edit':
    case 'delete':
    case 'reaction':
    case 'vote':
    case 'pin':
      return recordChange(db, instanceId, event)
    case 'call':
      return recordCall(db, instanceId, event)
    case 'unreadable':
      return noteUnreadable(db, instanceId, event)
    case 'profile': {
      const named = await nameByBook(db, { ...event.peer, name: event.name })
      return notifyContactsChanged(db, named === undefined ? [] : [named])
    }
    case 'connection':
      return recordConnection(db, instanceId, event)
    // Typing reaches the inbox only in a webhook with other events, and is outdated by then.
    case 'typing':
    case 'ignored':
      return
  }
}
