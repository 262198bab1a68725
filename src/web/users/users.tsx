/** The door of the room: who is signed in, and what he may do. */
export { applyUserEvent } from './live.ts'
export { useCan, useMe } from './me-context.ts'
export { userQueries } from './queries.ts'
export { SessionProvider } from './session-provider.tsx'
export { signOut } from './session.ts'
