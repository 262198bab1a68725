import type { Random } from '#simulator/random.ts'
import { changeLine, changesSince, changesUpTo, isByTheWay } from '../access/world/changes.ts'
import { expectedOutcome, meets } from '../access/law/expected.ts'
import { type Caller, makeAccounts } from '../access/world/people.ts'
import { isPerson, principals } from '../access/law/principals.ts'
import { recipes } from '../access/recipes.ts'
import { casesOf, isWatch } from '../access/recipe.ts'
import { tableRows, rowsOfCall } from '../access/law/table.ts'
import { canary } from '../access/world/talks.ts'
import { questionOf } from '../access/trials.ts'
import { type Answer, startWorld, untilCalm, type World } from '../access/world/world.ts'
import { defineScenario } from '../support/scenario.ts'
import { eachOf } from '../support/two-instances.ts'
import { makeSlots, type Slot } from './slots.ts'
import { makeThings } from './subjects.ts'
import type { Kind } from './thing.ts'

/** One id at one place by one caller; of a kind it is compared with one that never existed. */
type Probe = { slot: Slot; caller: Caller } & (
  | { what: 'kind'; kind: Kind }
  | { what: 'malformed'; value: unknown }
  | { what: 'own' }
)

interface Found {
  /** Pairs. */
  compared: number
  malformed: number
  own: number
  leaks: string[]
  differing: string[]
  unsound: string[]
  wrong: string[]
  /** Milliseconds of compared pairs: of what is hidden, and of what never existed. */
  times: { hidden: number[]; never: number[] }
}

/** Of all probes; the rest is about what is meant for the caller. */
const shares = { kind: 0.65, malformed: 0.3 }

const sumOf = ({ compared, malformed, own }: Found) => 2 * compared + malformed + own

function* allProbes(slots: readonly Slot[], callers: readonly Caller[]): Generator<Probe> {
  for (const slot of slots)
    for (const caller of callers) {
      for (const kind of Object.keys(slot.ids) as Kind[])
        if (kind !== 'never') yield { slot, caller, what: 'kind', kind }
      for (const value of slot.malformed) yield { slot, caller, what: 'malformed', value }
      if (slot.own) yield { slot, caller, what: 'own' }
    }
}

/** In random order. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const all = [...items]
  for (let n = all.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1))
    ;[all[n], all[other]] = [all[other] as Item, all[n] as Item]
  }
  return all
}

const nameOf = ({ slot, caller }: Probe) => `${slot.row.id}, ${slot.name}, ${caller.principal.name}`

/** Whether the caller may make the call about anything at all. */
export const mayAsk = ({ slot, caller: { principal } }: Pick<Probe, 'slot' | 'caller'>): boolean =>
  isPerson(principal) && rowsOfCall(slot.row).some((row) => meets(principal, row))

async function ask(world: World, probe: Probe, value: unknown, n: number): Promise<Answer & { ms: number }> {
  const { slot, caller } = probe
  const startedAt = performance.now()
  const target = slot.request(value, caller)
  const answer = await world.send(n, { method: slot.row.method, token: caller.token, ...target })
  return { ...answer, ms: performance.now() - startedAt }
}

/** Of each answer its own. */
const passing: ReadonlySet<string> = new Set(['date', 'x-request-id'])

/** An answer byte by byte, but for the time and the number of the request. */
export function shown({ status, text, headers }: Answer): string {
  const told = Object.entries(headers).filter(([name]) => !passing.has(name))
  return `${status} ${told.toSorted(([a], [b]) => a.localeCompare(b)).join('; ')} ${text}`
}

async function compare(
  world: World,
  probe: Probe & { what: 'kind' },
  n: number,
  found: Found,
): Promise<void> {
  const { slot, caller, kind } = probe
  // Who sees it may be told more; the matrix says what.
  const isHidden = slot.isHidden(kind, caller)
  if (!isHidden && mayAsk(probe)) return
  found.compared++
  const [a, b] = [await ask(world, probe, slot.ids[kind], n), await ask(world, probe, slot.ids.never, n)]
  found.times.hidden.push(a.ms)
  found.times.never.push(b.ms)
  if (shown(a) !== shown(b)) found.differing.push(`${nameOf(probe)}: ${kind} ${shown(a)}, never ${shown(b)}`)
  if (a.text.includes(canary)) found.leaks.push(`${nameOf(probe)}: ${kind} ${a.text.slice(0, 300)}`)
}

async function refuse(
  world: World,
  probe: Probe & { what: 'malformed' },
  n: number,
  found: Found,
): Promise<void> {
  found.malformed++
  const answer = await ask(world, probe, probe.value, n)
  if (answer.status >= 400 && answer.status < 500) return
  const value = JSON.stringify(probe.value).slice(0, 60)
  found.unsound.push(`${nameOf(probe)}: ${answer.status} for ${value}: ${answer.text.slice(0, 200)}`)
}

async function useOwn(world: World, probe: Probe & { what: 'own' }, n: number, found: Found): Promise<void> {
  const { slot, caller } = probe
  const recipe = recipes[slot.row.id]
  const target = slot.own?.(caller)
  const [first] = !recipe || isWatch(recipe) ? [] : casesOf(recipe)
  if (!target || !first) return
  found.own++
  const { status, text } = await world.send(n, { method: slot.row.method, token: caller.token, ...target })
  const expected = expectedOutcome(caller.principal, questionOf(slot.row, first))
  if (expected === status) return
  found.wrong.push(`${nameOf(probe)}: ${status} instead of ${expected}: ${text.slice(0, 200)}`)
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Other spellings of a path, which must not lead past the check. @see security S-05 */
const detours = (path: string): [string, string][] => [
  ['HEAD', path],
  ['OPTIONS', path],
  ['', `${path}/`],
  ['', path.replace('/api/', '/api//')],
  ['', path.replace('/api/', '//api/')],
  ['', path.replace('/api/', '/API/')],
  ['', path.replace('/api/', '/%61pi/')],
  ['', path.replace('/api/', '/api/%2e/')],
  ['', path.replace('/api/', '/x/../api/')],
  ['', `${path}%00`],
  ['', `${path};x=1`],
]

/** HEAD asks what GET asks, which may be another row of the same path. */
const mayRead = ({ principal }: Caller, { row }: Slot) =>
  isPerson(principal) &&
  tableRows.some((one) => one.method === 'GET' && one.path === row.path && meets(principal, one))

/** Whoever may do nothing is let in by no other spelling of a path, and by no header that names a method. */
async function takeDetours(
  world: World,
  slots: readonly Slot[],
): Promise<{ tried: number; faults: string[] }> {
  const powerless = world.callers.filter(({ principal }) => /none|operator, all off/.test(principal.name))
  const faults: string[] = []
  let tried = 0
  for (const slot of slots)
    for (const [n, caller] of powerless.entries()) {
      if (
        isPerson(caller.principal) &&
        rowsOfCall(slot.row).some((row) => meets(caller.principal as never, row))
      )
        continue
      const target = slot.request(slot.ids.foreign ?? slot.ids.never, caller)
      for (const [method, path] of detours(target.path)) {
        if (method !== '' && mayRead(caller, slot)) continue
        const sent = { ...target, method: method || slot.row.method, path, token: caller.token }
        const { body: _body, form: _form, ...bare } = sent
        const { status } = await world.send(n, method === '' ? sent : bare)
        tried++
        if (status < 400) faults.push(`${sent.method} ${path}, ${caller.principal.name}: ${status}`)
      }
    }
  return { tried, faults }
}

interface Environment {
  world: World
  slots: Slot[]
}

/**
 * Asks every call that takes an id for things of others, things that are gone and things that never were,
 * at every place of an id, and by every principal. What a person does not see must be answered byte by byte
 * like what never existed.
 */
export const references = defineScenario({
  options: { probes: 50_000 },
  nightly: { probes: 12_000 },

  async arrange({ defer }): Promise<Environment> {
    const world = await startWorld(principals, defer)
    const things = await makeThings(world)
    const states = ['blocked', 'inactive', 'deleted'] as const
    const ids = await makeAccounts(
      world.database,
      states.map((state) => ({ username: `sem-acesso-${state}`, role: 'operator' as const, state })),
    )
    const outsiders = Object.fromEntries(states.map((state, n) => [state, String(ids[n])]))
    return { world, slots: await makeSlots(world, things, outsiders) }
  },

  async act({ world, slots }, { options: { probes }, random, print, seconds }) {
    const found: Found = {
      compared: 0,
      malformed: 0,
      own: 0,
      leaks: [],
      differing: [],
      unsound: [],
      wrong: [],
      times: { hidden: [], never: [] },
    }
    const all = shuffled([...allProbes(slots, world.callers)], random)
    print(`  ${slots.length} places of ids, ${all.length} probes to choose from`)
    await untilCalm(world)
    const place = await changesUpTo(world.database)
    await eachOf(all, 8, async (probe, n) => {
      if (probe.what === 'kind' && 2 * found.compared < shares.kind * probes)
        await compare(world, probe, n, found)
      if (probe.what === 'malformed' && found.malformed < shares.malformed * probes)
        await refuse(world, probe, n, found)
    })
    print(`  ${sumOf(found)} in ${seconds()} s`)
    const effects = (await changesSince(world.database, place)).filter((change) => !isByTheWay(change))
    const tour = await takeDetours(world, slots)
    await eachOf(all, 8, async (probe, n) => {
      if (probe.what === 'own' && sumOf(found) < probes) await useOwn(world, probe, n, found)
    })
    print(`  ${sumOf(found)} in ${seconds()} s`)
    return { found, effects: effects.map((change) => changeLine(change)), tour }
  },

  check({ found, effects, tour }, _environment, { print }) {
    const { hidden, never } = found.times
    const [leaks, differing] = [found.leaks.length, found.differing.length]
    print(`${sumOf(found)} probes, ${leaks} leaks, ${differing} differing pairs of ${found.compared}`)
    print(`median: ${median(hidden).toFixed(2)} ms for hidden, ${median(never).toFixed(2)} ms for nothing`)
    return [
      { property: 'nothing of what is hidden is told', checked: found.compared, faults: found.leaks },
      {
        property: 'what is hidden is answered as what never existed',
        checked: found.compared,
        faults: found.differing,
      },
      { property: 'what is no id is refused', checked: found.malformed, faults: found.unsound },
      { property: 'none of these has an effect', checked: sumOf(found) - found.own, faults: effects },
      { property: 'what is meant for the caller is found', checked: found.own, faults: found.wrong },
      {
        property: 'no other spelling of a path leads past the check',
        checked: tour.tried,
        faults: tour.faults,
      },
    ]
  },
})
