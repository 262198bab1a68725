/** The door of the room: the signed-in user and their permissions. */
export { useAway } from '#web/users/presence/away.ts'
export { useTyping, useViewers, typingColleagues } from '#web/users/presence/presence.ts'
export type { Typing } from '#web/users/presence/presence-state.ts'
export { useCan, useMe } from './me-context.ts'
export { userQueries } from './queries.ts'
export { SessionProvider } from './session-provider.tsx'
export { PresenceMark } from '#web/users/presence/presence-mark.tsx'
export { signOut } from './session.ts'
