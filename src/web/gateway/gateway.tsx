/** The door of the room: the connection to the WhatsApp gateway. */
import { lazy } from 'react'

export { applyGatewayEvent, useGatewayConnected } from './live.ts'

/** Loaded when it is first shown: the shell needs this door on every screen, and the form on one. */
export const EvolutionTab = lazy(async () => ({
  default: (await import('./evolution-tab.tsx')).EvolutionTab,
}))
