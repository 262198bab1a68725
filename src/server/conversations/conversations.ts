import { nameByBook } from '#server/contacts/contacts.ts'
import { type EventHandlers, type GatewayEvent, recordConnection } from '#server/gateway/gateway.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { recordCall } from '#server/conversations/incoming/calls.ts'
import { recordChange } from '#server/conversations/messages/changes.ts'
import { handleBatch } from '#server/conversations/incoming/batch.ts'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import { notifyContactChanged } from '#server/conversations/store/write.ts'

export { automationJobs, conversationJobs, type JobTimes } from './automation-jobs.ts'
export { type AvatarTimes, startAvatarWorker } from '#server/conversations/media/avatar-worker.ts'
export { startFetchWorker } from './media/fetch-worker.ts'
export { createMessageFiles } from './media/message-files.ts'
export { createTellRead } from '#server/conversations/outgoing/receipts.ts'
export { deliveryFigures } from '#server/conversations/reading/delivery-figures.ts'
export { conversationEvents } from './live.ts'
export { startOutboxWorker } from '#server/conversations/outbox/outbox.ts'
export { endLeases } from '#server/conversations/outbox/outbox-unconfirmed.ts'
export { type OutboxTimes } from '#server/conversations/outbox/outbox-times.ts'
export {
  type SampleConversation,
  type SampleMessage,
  writeSamples,
} from '#server/conversations/samples/sample.ts'
export { statsFor } from '#server/conversations/reading/stats.ts'
export { createTyping, mayView } from '#server/conversations/outgoing/typing.ts'

/** What is made of anything that the gateway reports: one by one, or many of the usual kind together. */
export const eventHandlers: EventHandlers = { one: handleGatewayEvent, many: handleGatewayEvents }

/** A single event is handled whole, of several the plain ones. */
async function handleGatewayEvents(db: Tx, instanceId: number, events: GatewayEvent[]): Promise<boolean[]> {
  const [first, ...others] = events
  if (!first || others.length > 0) return handleBatch(db, instanceId, events)
  await handleGatewayEvent(db, instanceId, first)
  return [true]
}

/** Runs in the inbox's open transaction, once an event. */
export async function handleGatewayEvent(db: Tx, instanceId: number, event: GatewayEvent): Promise<void> {
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
    case 'profile':
      return notifyContactChanged(db, await nameByBook(db, { ...event.peer, name: event.name }))
    case 'connection':
      return recordConnection(db, instanceId, event)
    // Of a body that told something else, too, and by now it is over.
    case 'typing':
    case 'ignored':
      return
  }
}
