/** The door of the room: the choice of a company. */
export { CompanyChooser } from './company-chooser.tsx'
