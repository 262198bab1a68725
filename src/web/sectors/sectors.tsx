/** The door of the room: which sectors there are. */
export { sectorQueries } from './queries.ts'
export { type Sectors, useSectors } from './use-sectors.ts'
