/** The door of the room: steps that are done together in a conversation. */
import { inPlace } from '#web/platform/loading/in-place.tsx'

export { useMacros } from './queries.ts'
export { findMacros } from './find-macros.ts'

/** Of the settings. */
export const MacrosTab = inPlace(async () => (await import('./editor/macros-tab.tsx')).MacrosTab, null)
