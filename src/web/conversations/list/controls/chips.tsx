import { inPlace } from '#web/platform/loading/in-place.tsx'

/** Loaded where the list is filtered. */
export const FilterChips = inPlace(
  async () => (await import('#web/conversations/list/filters/filter-chips.tsx')).FilterChips,
  <span className="block h-9" />,
)
