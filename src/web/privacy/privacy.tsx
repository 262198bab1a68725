/** The door of the room: what persons may ask for by the LGPD. */
export { ErasedNote } from './erased-note.tsx'
export { PersonalDataMenu } from './personal-data-menu.tsx'
export { PrivacyRequestsTab } from './privacy-requests-tab.tsx'
