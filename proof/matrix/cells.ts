import { changeLine, changesSince, changesUpTo, isByTheWay } from '../access/changes.ts'
import type { Recipe } from '../access/recipe.ts'
import type { Row } from '../access/table.ts'
import { isRefusal, type Trial, trialsOf, tryAll, type Wrong } from '../access/trials.ts'
import { untilCalm, type World } from '../access/world.ts'

/** What came of the cells of a row. */
export interface RowReport {
  row: Row
  cells: number
  /** The cells whose own question, that of the first case, is permitted. */
  allowed: number
  /** Calls made, over all cases. */
  calls: number
  wrong: Wrong[]
  /** What refused calls have changed. */
  effects: string[]
}

/** Executes the cells of a row: first all that must be refused, and have no effect; then the others. */
export async function tryRow(world: World, row: Row, recipe: Recipe): Promise<RowReport> {
  const cases = await trialsOf(world, row, recipe)
  const trials = cases.flat()
  const [refused, allowed] = [true, false].map((isRefused) =>
    trials.filter(({ expected }) => isRefusal(expected) === isRefused),
  ) as [Trial[], Trial[]]
  const { wrong, effects } = await tryRefused(world, refused)
  wrong.push(...(await tryAll(allowed)))
  return {
    row,
    cells: world.callers.length,
    allowed: (cases[0] ?? []).filter(({ expected }) => !isRefusal(expected)).length,
    calls: trials.length,
    wrong,
    effects: effects.map((effect) => `${row.id}: ${effect}`),
  }
}

async function tryRefused(world: World, refused: Trial[]): Promise<{ wrong: Wrong[]; effects: string[] }> {
  // What a socket is opened for is not refused, and is noted as presence.
  if (refused.some(({ row }) => row.method === 'WS')) return { wrong: await tryAll(refused), effects: [] }
  await untilCalm(world)
  const calls = world.gatewayCalls()
  const place = await changesUpTo(world.database)
  const wrong = await tryAll(refused)
  const changes = (await changesSince(world.database, place)).filter((change) => !isByTheWay(change))
  const effects = changes.map((change) => changeLine(change))
  if (world.gatewayCalls() === calls) return { wrong, effects }
  // It may have been the watch over the connection, which calls once a minute: what is refused may be repeated.
  const callsBefore = world.gatewayCalls()
  await tryAll(refused)
  if (world.gatewayCalls() > callsBefore) effects.push('the gateway was called')
  return { wrong, effects }
}
