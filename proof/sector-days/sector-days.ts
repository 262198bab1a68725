import { defineScenario } from '../support/scenario.ts'
import { checkEnd, untilQuiet } from '../support/two-instances.ts'
import { arrive, choose } from './clients.ts'
import { Ears, Judge } from './judge.ts'
import {
  beginDay,
  changeOrder,
  changePeople,
  changeSector,
  comeAndGo,
  deleteSector,
  makeSector,
} from './management.ts'
import { localHour } from './model.ts'
import { round } from './rounds.ts'
import {
  attend,
  loadsOf,
  look,
  rush,
  setSector,
  takeNext,
  transferToPerson,
  transferToSector,
} from './team.ts'
import { pass, setPresent, startShop, type World } from './world.ts'

type Act = (world: World, judge: Judge, ears: Ears) => Promise<unknown>

/** What may happen, and how often. */
const acts: readonly (readonly [number, Act])[] = [
  [30, arrive],
  [12, choose],
  [16, takeNext],
  [2, rush],
  [6, transferToSector],
  [4, transferToPerson],
  [3, setSector],
  [24, attend],
  [12, (world, judge, ears) => round(world, judge, ears, () => loadsOf(world))],
  [4, look],
  [10, comeAndGo],
  [3, changePeople],
  [1, changeSector],
  [1, changeOrder],
  [0.7, makeSector],
  [0.7, deleteSector],
]
const total = acts.reduce((sum, [weight]) => sum + weight, 0)

function draw({ random }: World): Act {
  let left = random() * total
  return (acts.find(([weight]) => (left -= weight) < 0) ?? acts[0])?.[1] ?? arrive
}

const hourMs = 3_600_000
const minuteMs = 60_000
const opensAt = 6
const closesAt = 22

/** From early in the morning until late: something happens each few minutes, and some things at once. */
async function day(world: World, judge: Judge, ears: Ears): Promise<number> {
  const { random, clock } = world
  await beginDay(world, judge, ears)
  let count = 0
  while (localHour((await clock.now()).getTime()) < closesAt) {
    await draw(world)(world, judge, ears)
    count++
    await pass(world, random() < 0.4 ? Math.floor(random() * 40_000) : Math.floor(random() * 40 * minuteMs))
  }
  const now = localHour((await clock.now()).getTime())
  await pass(world, (24 - now + opensAt) * hourMs)
  return count
}

/**
 * Days of a shop with two to five sectors and two numbers, at random, on a clock that is moved: clients come
 * and choose, people take, transfer, note, return and finalize, sectors get other people, hours and numbers
 * and are deleted, and people come and go. After each act everything is compared with a model that shares no
 * code with the product.
 */
export const sectorDays = defineScenario({
  options: { days: 40 },
  nightly: { days: 150 },

  arrange: ({ defer, random }) => startShop(defer, random),

  async act(world, { options: { days }, print, seconds }) {
    const [judge, ears] = [new Judge(), new Ears()]
    const { clock } = world
    // A day that no phone of this machine has seen yet.
    const start = new Date((await clock.now()).getTime() + 48 * hourMs)
    start.setUTCHours(opensAt + 3, 0, 0, 0)
    await clock.set(start)
    await pass(world, 0)
    for (const worker of world.model.workers.values()) worker.isPresent = world.random() < 0.5
    await setPresent(world)
    for (let n = 0; n < 3; n++) await makeSector(world, judge, ears)
    let count = 0
    for (let n = 1; n <= days; n++) {
      count += await day(world, judge, ears)
      if (n % Math.max(1, Math.floor(days / 10)) === 0)
        print(`  ${n} days, ${count} acts, ${judge.faultCount} faults, ${seconds()} s`)
    }
    const stuck = await untilQuiet(world.at, { stuckAfterMs: 30_000 })
    return { judge, stuck }
  },

  check: ({ judge, stuck }, { at }) => [...judge.results(), ...checkEnd(at, stuck)],
})
