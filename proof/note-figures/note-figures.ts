import { plantSource } from '../support/plant-source.ts'
import { defineScenario } from '../support/scenario.ts'
import { plants } from './plants.ts'
import type { Twin } from './twins.ts'

/**
 * The same random history is played in two installations, on a clock that stands still between the acts: in
 * one of them the team writes notes meanwhile. Every list, header, dashboard, report and file without notes,
 * and every row that figures are made of, is the same in both. With `--plant`, one of the faults of
 * `plants.ts` is there to be found.
 */
export const noteFigures = defineScenario({
  options: { histories: 3, acts: 120, clients: 8, plant: '' },
  nightly: { histories: 10 },

  // The sources of the server are loaded after what changes them.
  async arrange({ options: { plant }, defer }): Promise<[Twin, Twin]> {
    if (plant !== '') {
      const fault = plants[plant]
      if (!fault) throw new Error(`there is no fault '${plant}': ${Object.keys(plants).join(', ')}`)
      plantSource(fault)
    }
    const { startTwin } = await import('./twins.ts')
    return [await startTwin(defer), await startTwin(defer)]
  },

  async act(twins, context) {
    return (await import('./play.ts')).playAll(twins, context)
  },

  check: (played) => [
    {
      property: 'every figure is the same with and without notes',
      checked: played.compared,
      faults: played.differing,
    },
    { property: 'every figure is given', checked: played.compared, faults: played.failed },
    {
      property: 'there were notes, of every kind, and acts that succeed',
      checked: played.notes.size,
      faults: played.lacking,
    },
  ],
})
