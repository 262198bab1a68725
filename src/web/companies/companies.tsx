/** The door of the room: a company as other rooms let one choose it. */
export { CompanyChooser } from './company-chooser.tsx'
