/** The door of the room: the contact as other rooms show it. */
export { ContactCompany } from './contact-company.tsx'
export { ContactPanel, PanelSection } from './contact-panel.tsx'
export { contactQueries } from './queries.ts'
export { onContactChanged } from './save-contact.ts'
