import { onDemand } from './on-demand.tsx'

/** A `Dialog` where the page has none until somebody asks for it. */
export const DialogOnDemand = onDemand(async () => (await import('./dialog.tsx')).Dialog)
