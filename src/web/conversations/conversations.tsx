/** The door of the room: what the shell needs of the conversations. */
export { HandOver } from './hand-over/hand-over.tsx'
export { TakeNext } from './take-next.tsx'
export { ConversationsLive } from './live.ts'
export { conversationQueries } from './queries.ts'
export { useStartChat } from './start-chat.ts'
export { useUnreadMine } from './reads.ts'
