/** The door of the room: what the AI does in conversations, and how it is configured. */
import { inPlace } from '#web/platform/loading/in-place.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'

export { useAssistantIn, useSwitchAssistant } from './conversation/conversation-queries.ts'

/** Loaded on first use: one screen has the form. */
export const AssistantTab = inPlace(async () => (await import('./settings/assistant-tab.tsx')).AssistantTab)
export const SummaryPanel = onDemand(
  async () => (await import('./conversation/summary-panel.tsx')).SummaryPanel,
)
export const SuggestionPanel = onDemand(
  async () => (await import('./conversation/suggestion-panel.tsx')).SuggestionPanel,
)
/** Stands in a dialog, and not in the chat that loads this file: its place is kept. */
export const SummaryForNote = inPlace(
  async () => (await import('./conversation/summary-for-note.tsx')).SummaryForNote,
  <div className="h-7" />,
)
