/** The door of the room: the settings of the administrator, and the editor of quick replies. */
import { onDemand } from '#web/ui/on-demand.tsx'

export { useSilence, useSilenceWords } from '#web/settings/silence/use-silence.ts'
export { fetchQuickResponseFile, settingsQueries } from '#web/settings/form/queries.ts'

export const ReplyDialog = onDemand(
  async () => (await import('#web/settings/replies/reply-dialog.tsx')).ReplyDialog,
)
