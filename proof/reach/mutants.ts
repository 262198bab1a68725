import type { Context, Result } from '../support/scenario.ts'
import { alignColumns } from '../support/table.ts'
import { knownPlaces, placesOf, without } from './places.ts'
import { makeProbes, type Probe } from './probes.ts'
import { reasonUnseen } from './unseen.ts'
import type { ReachWorld } from './world.ts'

const fileOf = (place: string) => place.replace(/:.*/, '')

/** @returns the first probe that fails without these places */
async function noticedBy(places: readonly string[], probes: readonly Probe[]): Promise<string | undefined> {
  for (const probe of probes)
    if ((await without(places, () => probe.wrong())) !== undefined) return probe.what
  return undefined
}

/**
 * Finds for each probe the places that it reaches, and then for each place a probe that fails without it, or
 * without it and others of the same file that are not noticed alone. All hold for the server as it is.
 */
export async function tryMutants(
  at: ReachWorld,
  only: string,
  { random, print, seconds }: Pick<Context<never>, 'random' | 'print' | 'seconds'>,
): Promise<Result[]> {
  const probes = await makeProbes(at, random)
  const failing: string[] = []
  const reachedBy = new Map<string, Probe[]>()
  for (const probe of probes) {
    const reached = await placesOf(async () => {
      const wrong = await probe.wrong()
      if (wrong !== undefined) failing.push(`${probe.what}: ${wrong}`)
    })
    for (const place of reached) reachedBy.set(place, [...(reachedBy.get(place) ?? []), probe])
  }
  print(`  ${probes.length} probes in ${seconds()} s`)
  const places = knownPlaces().filter((place) => place.includes(only))
  // What costs least comes first.
  const probesOf = (place: string) => (reachedBy.get(place) ?? []).toSorted((a, b) => a.cost - b.cost)
  const noticed = new Map<string, string>()
  for (const place of places) {
    const by = await noticedBy([place], probesOf(place))
    if (by !== undefined) noticed.set(place, by)
  }
  const alone = places.filter((place) => !noticed.has(place))
  for (const [, same] of Map.groupBy(alone, fileOf)) {
    if (same.length < 2) continue
    const by = await noticedBy(same, probesOf(same[0] ?? ''))
    if (by !== undefined) for (const place of same) noticed.set(place, `together: ${by}`)
  }
  const rows = places.map((place) => [place, noticed.get(place) ?? reasonUnseen(place) ?? 'NOT NOTICED'])
  for (const line of alignColumns([['without the limit at', 'noticed by'], ...rows])) print(`  ${line}`)
  const missed = places.filter((place) => !noticed.has(place) && reasonUnseen(place) === undefined)
  print(`  ${noticed.size} of ${places.length} places are noticed, in ${seconds()} s`)
  return [
    { property: 'every probe holds for the server as it is', checked: probes.length, faults: failing },
    { property: 'a place that lets everything through is noticed', checked: places.length, faults: missed },
  ]
}
