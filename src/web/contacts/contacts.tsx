/** The door of the room: contacts as other rooms use them. */
export { CategoriesTab } from './categories/categories-tab.tsx'
export { ContactCompany } from './contact-company.tsx'
export { useDeleteContact, useToggleBlock } from './contact-acts.ts'
export { ContactFacts, ContactPanel, PanelSection } from './contact-panel.tsx'
export { MergeDialog } from './merging/merge-dialog.tsx'
export { contactQueries } from './queries.ts'
export { onContactChanged } from './save-contact.ts'
export { pendingContact, useStartChat } from './start-chat.ts'
