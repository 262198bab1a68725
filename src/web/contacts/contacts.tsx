import { onDemand } from '#web/ui/on-demand.tsx'

/** The door of the room: contacts as other rooms use them. */
export { ContactCompany } from './panel/contact-company.tsx'
export { useDeleteContact, useToggleBlock } from './contact-acts.ts'
export { ContactFacts, ContactPanel, PanelSection } from './panel/contact-panel.tsx'
export { contactQueries } from './queries.ts'
export { onContactChanged } from './save-contact.ts'
export { newChatAddress, pendingContact, useStartChat } from './start-chat.ts'
export const MergeDialog = onDemand(async () => (await import('./merging/merge-dialog.tsx')).MergeDialog)
