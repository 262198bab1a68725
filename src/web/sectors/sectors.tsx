/** The door of the room: which sectors there are, and the choice of one. */
export { openText } from './open-text.ts'
export { sectorQueries } from './queries.ts'
export { SectorBadge, SectorSquare, useQueueText } from './sector-mark.tsx'
export { SectorDot } from './sector-dot.tsx'
export { SectorSelect } from './sector-select.tsx'
export { type Sectors, useSectors } from './use-sectors.ts'
