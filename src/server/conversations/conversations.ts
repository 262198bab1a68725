import { nameByBook } from '#server/contacts/contacts.ts'
import { type EventHandlers, type GatewayEvent, recordConnection } from '#server/gateway/gateway.ts'
import type { Tx } from '#server/platform/db.ts'
import { recordCall } from './calls.ts'
import { recordChange } from './delivery.ts'
import { handlePlainEvents } from './plain-events.ts'
import { receiveMessage } from './receive.ts'
import { tellNamed } from './write.ts'

export { automationJobs, conversationJobs, type JobTimes } from './automation-jobs.ts'
export { type AvatarTimes, startAvatarWorker } from './avatar-worker.ts'
export { startFetchWorker } from './media/fetch-worker.ts'
export { createMessageFiles } from './media/message-files.ts'
export { createTellRead } from './receipts.ts'
export { deliveryFigures } from './delivery-figures.ts'
export { conversationEvents } from './live.ts'
export { startOutboxWorker } from './outbox.ts'
export { endLeases } from './outbox-doubts.ts'
export { type OutboxTimes } from './outbox-times.ts'
export { type SampleConversation, type SampleMessage, writeSamples } from './sample.ts'
export { statsFor } from './stats.ts'
export { createTyping, mayView } from './typing.ts'

/** What is made of anything that the gateway reports: one by one, or many of the usual kind together. */
export const eventHandlers: EventHandlers = { one: handleGatewayEvent, many: handlePlainEvents }

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
      return tellNamed(db, await nameByBook(db, { ...event.peer, name: event.name }))
    case 'connection':
      return recordConnection(db, instanceId, event)
    // Of a body that told something else, too, and by now it is over.
    case 'typing':
    case 'ignored':
      return
  }
}
