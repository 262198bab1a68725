/** The door of the room: what other rooms may use of the conversations. */
export { addressOf as archivedAddress } from '#web/conversations/archive/addresses.ts'
export { Marked } from '#web/conversations/archive/marked.tsx'
export { writerOf } from '#web/conversations/rows/sender-name.ts'
export { HandOver } from '#web/conversations/hand-over/hand-over.tsx'
export { TakeNext } from '#web/conversations/list/controls/take-next.tsx'
export { ConversationsLive } from './conversations-live.ts'
export { conversationQueries } from '#web/conversations/cache/queries.ts'
export { useUnreadMine } from '#web/conversations/mutations/reads.ts'
