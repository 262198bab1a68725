import { principals } from '../access/law/principals.ts'
import { startWorld, type World } from '../access/world/world.ts'
import { defineScenario } from '../support/scenario.ts'
import { playRound, type Round } from './crowd.ts'
import { takingNames } from './person.ts'
import { type Late, letWait } from './waiting.ts'

/**
 * Takes rights of a person (a flag, the role, the account) while fifty of his requests are under way at two
 * instances, and two sockets are open. Each request is judged wholly by the old or by the new rights, and
 * by the old ones no later than a second after they were taken: also one that waits for its body or for a
 * lock.
 */
export const revocation = defineScenario({
  options: { rounds: 15 },
  nightly: {},

  arrange({ defer }): Promise<World> {
    return startWorld(
      principals.filter(({ name }) => name === 'admin'),
      defer,
    )
  },

  async act(world, { options: { rounds }, random, print, seconds }) {
    const all: Round[] = []
    const late: Late = { tried: 0, faults: [] }
    for (const taking of takingNames) await letWait(world, taking, late)
    print(`  ${late.tried} requests that waited in ${seconds()} s`)
    for (let n = 0; n < rounds; n++) {
      const taking = takingNames[n % takingNames.length] ?? 'the role'
      all.push(await playRound(world, taking, 300 + random() * 400))
      if ((n + 1) % 5 === 0) print(`  ${n + 1} rounds in ${seconds()} s`)
    }
    return { all, late }
  },

  check({ all, late }, { at }) {
    const sum = (count: (round: Round) => number) => all.reduce((total, round) => total + count(round), 0)
    const requests = sum((round) => round.requests)
    return [
      {
        property: 'each request is judged by the old rights or by the new',
        checked: requests,
        faults: all.flatMap(({ neither }) => neither),
      },
      {
        property: 'none by the old a second after they were taken',
        checked: requests,
        faults: all.flatMap((round) => round.late),
      },
      {
        property: 'what is confirmed is done, what is refused is not',
        checked: requests,
        faults: all.flatMap(({ torn }) => torn),
      },
      { property: 'what waited is judged anew', checked: late.tried, faults: late.faults },
      {
        property: 'sockets show nothing more, or are closed, within a second',
        checked: sum((round) => round.frames),
        faults: all.flatMap(({ sockets }) => sockets),
      },
      { property: 'no two transactions wait for each other', checked: 1, faults: at.deadlocks() },
    ]
  },
})
