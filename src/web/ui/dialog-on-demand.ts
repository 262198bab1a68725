import { onDemand } from './on-demand.tsx'

/** A `Dialog` whose code is loaded on first use. */
export const DialogOnDemand = onDemand(async () => (await import('./dialog.tsx')).Dialog)
