import { plantSource } from '../support/plant-source.ts'
import { defineScenario } from '../support/scenario.ts'
import type { Outside } from './outside.ts'
import { plants } from './plants.ts'

/**
 * People of other sectors, with 'Próprias' and 'Do setor', ask every call that takes an id for
 * conversations, messages, notes and files of which they know nothing, and for what does not exist: the
 * answers are the same, byte by byte, and have no effect. With `--plant`, one of the faults of `plants.ts`
 * is there to be found; with
 * `--only`, only calls whose names contain it are asked.
 */
export const sectorReferences = defineScenario({
  options: { probes: 6000, plant: '', only: '' },
  nightly: { probes: 60_000 },

  // The sources of the server are loaded after what changes them.
  async arrange({ options: { plant }, defer }): Promise<Outside> {
    if (plant !== '') {
      const fault = plants[plant]
      if (!fault) throw new Error(`there is no fault '${plant}': ${Object.keys(plants).join(', ')}`)
      plantSource(fault)
    }
    return (await import('./outside.ts')).startOutside(defer)
  },

  async act(outside, context) {
    return (await import('./probe.ts')).probeAll(outside, context)
  },

  check: (found) => [
    {
      property: 'what is out of reach is answered as what does not exist',
      checked: 2 * found.compared,
      faults: found.differing,
    },
    { property: 'nothing of it is told', checked: 2 * found.compared, faults: found.leaks },
    {
      property: 'a client tells nothing of conversations out of reach',
      checked: 2 * found.alike.compared,
      faults: found.alike.differing,
    },
    { property: 'nothing is answered with 5xx', checked: 2 * found.compared, faults: found.broken },
    { property: 'none of these has an effect', checked: 2 * found.compared, faults: found.effects },
    { property: 'every call with an id was asked', checked: found.byCall.size, faults: found.unasked },
  ],
})
