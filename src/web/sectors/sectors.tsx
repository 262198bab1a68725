/** The door of the room: which sectors there are, and the choice of one. */
import { inPlace } from '#web/platform/loading/in-place.tsx'

export { sectorKeys } from './live.ts'
export { sectorQueries } from './queries.ts'
export { SectorDot } from './sector-dot.tsx'
export { openText } from './open-text.ts'
export { QueueText, SectorBadge, SectorSquare } from './sector-mark.tsx'
export { useSectors } from './use-sectors.ts'

/** Loaded on first use: a chat imports this door, and has no select. */
export const SectorSelect = inPlace(
  async () => (await import('./sector-select.tsx')).SectorSelect,
  <span className="block h-(--height-field) rounded-control border border-field bg-surface" />,
)
