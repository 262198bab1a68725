import { changeLine, changesSince, changesUpTo, isByTheWay } from '../access/world/changes.ts'
import type { Caller } from '../access/world/people.ts'
import { canary } from '../access/world/talks.ts'
import { type Answer, untilCalm } from '../access/world/world.ts'
import { grouped } from '../reach/grouped.ts'
import { mayAsk, shown, shuffled } from '../references/references.ts'
import type { Slot } from '../references/slots.ts'
import type { Kind } from '../references/thing.ts'
import { alignColumns } from '../support/table.ts'
import type { Context } from '../support/scenario.ts'
import { eachOf } from '../support/two-instances.ts'
import { askAlike } from './alike.ts'
import type { Outside } from './outside.ts'

/** An id of something that a caller knows nothing of, which is compared with one of nothing. */
interface Probe {
  slot: Slot
  caller: Caller
  kind: Kind
}

/** What came of the probes. */
export interface Found {
  /** Pairs. */
  compared: number
  differing: string[]
  leaks: string[]
  broken: string[]
  effects: string[]
  /** Pairs, by call. */
  byCall: Map<string, number>
  unasked: string[]
  alike: { compared: number; differing: string[] }
}

function probesOf(callers: readonly Caller[], slots: readonly Slot[]): Probe[] {
  return slots.flatMap((slot) =>
    callers.flatMap((caller) =>
      (Object.keys(slot.ids) as Kind[])
        .filter((kind) => kind !== 'never' && (slot.isHidden(kind, caller) || !mayAsk({ slot, caller })))
        .map((kind): Probe => ({ slot, caller, kind })),
    ),
  )
}

/** So many, of each call one at least. */
function choose(all: readonly Probe[], count: number): Probe[] {
  const firsts = new Map<string, Probe>()
  for (const probe of all) if (!firsts.has(probe.slot.row.id)) firsts.set(probe.slot.row.id, probe)
  const isFirst = new Set(firsts.values())
  const others = all.filter((probe) => !isFirst.has(probe))
  return [...isFirst, ...others].slice(0, Math.max(count, isFirst.size))
}

const bareName = ({ name }: Slot) => name.replace(/,? (of|in|a|without) .*/, '')

/** Asks in random order, each call at least once. */
export async function probeAll(
  outside: Outside,
  {
    options,
    random,
    print,
    seconds,
  }: Pick<Context<{ probes: number; only: string }>, 'options' | 'random' | 'print' | 'seconds'>,
): Promise<Found> {
  const { world } = outside
  const slots = outside.slots.filter(({ row }) => row.id.includes(options.only))
  const all = shuffled(probesOf(world.callers, slots), random)
  print(`  ${slots.length} places of ids, ${2 * all.length} probes to choose from`)
  const chosen = choose(all, Math.ceil(options.probes / 2))
  const faults = { differing: [] as Fault[], leaks: [] as Fault[], broken: [] as Fault[] }
  const byCall = new Map<string, number>()
  await untilCalm(world)
  const place = await changesUpTo(world.database)
  await eachOf(chosen, 8, async ({ slot, caller, kind }, n) => {
    const ask = (value: unknown) =>
      world.send(n, { method: slot.row.method, token: caller.token, ...slot.request(value, caller) })
    const [a, b] = [await ask(slot.ids[kind]), await ask(slot.ids.never)]
    const call = `${slot.row.id}, ${bareName(slot)}`
    byCall.set(call, (byCall.get(call) ?? 0) + 1)
    const what = `${slot.row.id}, ${slot.name}`
    const [told, toldOfNothing] = [toldIn(slot, a), toldIn(slot, b)]
    const example = `${caller.principal.name}, ${kind}: ${partsApart(told, toldOfNothing)}`
    if (told !== toldOfNothing) faults.differing.push({ what, example })
    if (tellsMore(a.text, b.text)) faults.leaks.push({ what, example })
    if (a.status >= 500 || b.status >= 500) faults.broken.push({ what, example })
  })
  print(`  ${2 * chosen.length} probes in ${seconds()} s`)
  const alike = await askAlike(world, outside.alike)
  await untilCalm(world)
  const effects = (await changesSince(world.database, place)).filter((change) => !isByTheWay(change))
  const lines = [...byCall].toSorted(([a], [b]) => a.localeCompare(b))
  for (const line of alignColumns(lines.map(([call, n]) => [call, String(2 * n)]))) print(`  ${line}`)
  const calls = new Set(slots.map(({ row }) => row.id))
  const asked = new Set(chosen.map(({ slot }) => slot.row.id))
  return {
    compared: chosen.length,
    differing: grouped(faults.differing),
    leaks: grouped(faults.leaks),
    broken: grouped(faults.broken),
    effects: effects.map((change) => changeLine(change)),
    byCall,
    unasked: [...calls].filter((id) => !asked.has(id)),
    alike,
  }
}

interface Fault {
  what: string
  example: string
}

/** An answer but for the length of the audit log, which grows with the probes beside it. */
function toldIn({ row }: Slot, { text, headers, ...answer }: Answer): string {
  if (!row.id.startsWith('GET /api/audit-logs')) return shown({ text, headers, ...answer })
  const { 'content-length': _length, ...rest } = headers
  return shown({ ...answer, headers: rest, text: text.replace(/"chain":.*/, '') })
}

/** Where two begin to differ. */
function partsApart(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const part = (text: string) => `${text.slice(0, 4)}… ${text.slice(Math.max(0, at - 100), at + 150)}`
  return `${part(one)} | ${part(other)}`
}

/** A list of one's own has the word in both answers. */
const tellsMore = (a: string, b: string) => a.split(canary).length > b.split(canary).length
