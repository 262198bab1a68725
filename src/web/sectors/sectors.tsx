/** The door of the room: which sectors there are, and how they are shown. */
export { openText } from './open-text.ts'
export { sectorQueries } from './queries.ts'
export { SectorBadge, SectorSquare, useQueueText } from './sector-mark.tsx'
export { type Sectors, useSectors } from './use-sectors.ts'
