/** The door of the room: the contact as other rooms show it. */
export { ContactPanel } from './contact-panel.tsx'
export { contactQueries } from './queries.ts'
