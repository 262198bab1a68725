/** The door of the room: contacts as other rooms use them. */
export { ContactCompany } from './contact-company.tsx'
export { ContactPanel, PanelSection } from './contact-panel.tsx'
export { contactQueries } from './queries.ts'
export { onContactChanged } from './save-contact.ts'
