/** The door of the room: what an administrator has set. */
export { applySettingsEvent } from './live.ts'
export { fetchQuickResponseFile, settingsQueries } from './queries.ts'
