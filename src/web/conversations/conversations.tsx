/** The door of the room: what the shell needs of the conversations. */
export { ConversationsLive } from './live.ts'
export { useWaitingCount } from './waiting-count.ts'
