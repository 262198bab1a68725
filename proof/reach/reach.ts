import { defineScenario } from '../support/scenario.ts'
import type { ReachWorld } from './world.ts'

/**
 * Calls, lists, sockets and exports of everybody, with each scope, in each sector and with each number, show
 * what the rule of sectors and scopes says, and nothing else. With `--mutants`, for each place in the server
 * that asks about the reach: that this is noticed when that place lets everything through.
 */
export const reach = defineScenario({
  options: { share: 0.02, lists: 0.1, losses: 1, mutants: false, only: '' },
  nightly: { share: 0.2, lists: 0.5, losses: 2 },

  // The sources of the server are loaded after what changes them.
  async arrange({ options: { mutants }, defer }): Promise<ReachWorld> {
    if (mutants) (await import('./places.ts')).watchPlaces()
    return (await import('./world.ts')).startReachWorld(defer)
  },

  async act(at, context) {
    const { mutants, only } = context.options
    if (mutants) return (await import('./mutants.ts')).tryMutants(at, only, context)
    return (await import('./properties.ts')).tryAll(at, context)
  },

  check: (results) => results,
})
