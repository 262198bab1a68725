/** The door of the room: the saved views of the list. */
import { onDemand } from '#web/ui/on-demand.tsx'

export { useChangeView, useOrderViews } from './mutations.ts'
export { viewQueries } from './queries.ts'

export const ViewDialog = onDemand(async () => (await import('./view-dialog.tsx')).ViewDialog)
