import { onDemand } from '#web/ui/on-demand.tsx'

/** A `Dialog` whose code is loaded on demand. */
export const DialogOnDemand = onDemand(async () => (await import('./dialog.tsx')).Dialog)
