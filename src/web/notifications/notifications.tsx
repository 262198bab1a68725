/** The door of the room: what other rooms may use of the notifications. */
export { Bell } from './bell.tsx'
export { NotificationsLive } from './notifications-live.ts'
