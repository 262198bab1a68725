/** The door of the room: the choice of a company, and the list to choose from. */
export { CompanyChooser } from './company-chooser.tsx'
export { companyQueries } from './queries.ts'
