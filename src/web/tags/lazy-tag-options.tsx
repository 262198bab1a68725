import { inPlace } from '#web/platform/loading/in-place.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

/** Loaded on first use: most of who finalize are asked for no tag. */
export const TagOptions = inPlace(
  async () => (await import('./tag-options.tsx')).TagOptions,
  <Skeleton className="h-40" />,
)
