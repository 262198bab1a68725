/** The door of the room: the settings of the administrator. */
export { applySettingsEvent } from './live.ts'
export { fetchQuickResponseFile, settingsQueries } from '#web/settings/form/queries.ts'
