/** The door of the room: the connection to the WhatsApp gateway. */
import { inPlace } from '#web/platform/loading/in-place.tsx'

export { useGatewayNews } from './live.ts'

/** Loaded on first use: the shell imports this door on every screen, the form is on one. */
export const EvolutionTab = inPlace(async () => (await import('./evolution-tab.tsx')).EvolutionTab)
