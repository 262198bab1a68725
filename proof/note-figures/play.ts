import { createRandom } from '#simulator/random.ts'
import { person } from '#server/testing/test-person.ts'
import type { Context } from '../support/scenario.ts'
import { differencesOf, readFigures } from './figures.ts'
import { type Client, happenOne } from './history.ts'
import { noteSomething } from './noting.ts'
import { restart, type Twin } from './twins.ts'

/** What came of all histories. */
export interface Played {
  compared: number
  differing: string[]
  failed: string[]
  /** What was done with notes, and how often. */
  notes: Map<string, number>
  lacking: string[]
}

type Options = { histories: number; acts: number; clients: number }

const wanted = ['a note: 201', 'a note with a file: 201', 'a note is edited: 200', 'a note is deleted: 200']
const mostShown = 10

/** Plays histories in both twins, and compares all figures now and then. */
export async function playAll(
  twins: readonly [Twin, Twin],
  { options, random, print, seconds }: Pick<Context<Options>, 'options' | 'random' | 'print' | 'seconds'>,
): Promise<Played> {
  const played: Played = { compared: 0, differing: [], failed: [], notes: new Map(), lacking: [] }
  for (let history = 1; history <= options.histories; history++) {
    const seed = Math.floor(random() * 2 ** 32)
    const clients: Client[] = Array.from({ length: options.clients }, () => ({ person: person(), names: [] }))
    for (const twin of twins) await restart(twin, createRandom(seed))
    const noting = createRandom(seed + 1)
    for (let n = 1; n <= options.acts; n++) {
      for (const twin of twins) await happenOne(twin, clients)
      for (const twin of twins) await twin.pass(400)
      while (noting() < 0.45) {
        const what = await noteSomething(twins, noting, played.compared + n)
        played.notes.set(what, (played.notes.get(what) ?? 0) + 1)
      }
      for (const twin of twins) await twin.pass(600)
      if (n % 40 !== 0 && n !== options.acts) continue
      for (const twin of twins) await twin.work()
      if (!(await compare(twins, played, `history ${history}, act ${n}`))) break
    }
    print(
      `  history ${history}: ${played.compared} figures, ${played.differing.length} differ, ${seconds()} s`,
    )
  }
  for (const [what, n] of [...played.notes].toSorted(([a], [b]) => a.localeCompare(b)))
    print(`  ${what}: ${n}`)
  played.lacking = wanted.filter((what) => !played.notes.has(what))
  return played
}

/** @returns whether all are the same */
async function compare(twins: readonly [Twin, Twin], played: Played, where: string): Promise<boolean> {
  const [plain, noted] = [await readFigures(twins[0]), await readFigures(twins[1])]
  const differing = differencesOf(plain.figures, noted.figures)
  played.compared += plain.figures.size
  for (const one of differing.slice(0, mostShown)) played.differing.push(`${where}: ${one}`)
  if (differing.length > mostShown) played.differing.push(`${where}: ${differing.length - mostShown} more`)
  played.failed.push(...plain.failed.slice(0, mostShown))
  return differing.length === 0
}
