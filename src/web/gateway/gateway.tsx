/** The door of the room: the connection to the WhatsApp gateway. */
import { lazy } from 'react'

export { useGatewayNews } from './live.ts'

/** Loaded on first use: the shell imports this door on every screen, the form is on one. */
export const EvolutionTab = lazy(async () => ({
  default: (await import('./evolution-tab.tsx')).EvolutionTab,
}))
