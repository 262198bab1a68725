/** The door of the room: the settings of the administrator. */
export { fetchQuickResponseFile, settingsQueries } from '#web/settings/form/queries.ts'
