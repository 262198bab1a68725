import { meets } from '../access/law/expected.ts'
import { isPerson, principals } from '../access/law/principals.ts'
import type { Recipe } from '../access/recipe.ts'
import { recipes } from '../access/recipes.ts'
import type { Condition, Row } from '../access/law/table.ts'
import { firstWrong, type Trial, trialsOf, tryAll, type Wrong } from '../access/trials.ts'
import { startWorld, type World } from '../access/world/world.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { alignColumns } from '../support/table.ts'
import { allMutants, allRoles, type Kind, type Mutant, withServer } from './mutation.ts'

/** How a mutant was distinguished from the right server. */
interface Verdict {
  mutant: Mutant
  /** By itself, only together with another change, or not at all. */
  end: 'killed' | 'killed together' | 'survived'
  /** The cell that failed, or why nothing can. */
  by: string
  faults: string[]
}

/**
 * Where ceiling and flags of a row let the same people through, one is only seen without the other, which the
 * server and the law then leave out alike. D6: administrators have every flag. D2: nobody else has that of
 * tracking.
 */
const underRaisedCeiling = {
  name: 'under a raised ceiling',
  change: (condition: Condition): Condition => ({ ...condition, ceiling: allRoles }),
}
const withoutFlags = {
  name: 'without the flags',
  change: (condition: Condition): Condition => ({ ...condition, flags: [] }),
}

const lineOf = ({ trial, outcome }: Wrong) =>
  `${trial.caller.principal.name}, ${trial.what}: ${outcome} instead of ${trial.expected}`

/** The people for whom a change of the row makes a difference come first. */
function byInterest(row: Row, change: Mutant['change'], trials: Trial[]): Trial[] {
  const changed = change(row)
  const isConcerned = ({ caller: { principal } }: Trial) =>
    isPerson(principal) && meets(principal, row) !== meets(principal, changed)
  return [...trials.filter(isConcerned), ...trials.filter((trial) => !isConcerned(trial))]
}

/**
 * Runs the cells of a row against a changed server until one fails, which then must hold without the
 * change.
 */
async function attack(
  world: World,
  { row, change, recipe }: { row: Row; change: Mutant['change']; recipe: Recipe },
  changes: Parameters<typeof withServer>[0],
  base: Parameters<typeof withServer>[0] = {},
): Promise<{ by?: string; faults: string[] }> {
  const trials = (await trialsOf(world, row, recipe)).flat()
  const wrong = await withServer({ ...base, ...changes }, () => firstWrong(byInterest(row, change, trials)))
  if (!wrong) return { faults: [] }
  const again = (await trialsOf(world, row, recipe))
    .flat()
    .filter(({ caller, what }) => caller === wrong.trial.caller && what === wrong.trial.what)
  const still = await withServer(base, () => tryAll(again))
  return {
    by: lineOf(wrong),
    faults: still.map((one) => `${row.id}: fails without a mutant: ${lineOf(one)}`),
  }
}

async function judge(world: World, mutant: Mutant): Promise<Verdict> {
  const { row, change, together } = mutant
  const recipe = recipes[row.id]
  if (!recipe) throw new Error(`${row.id}: add its recipe to a file of proof/rooms`)
  const alone = await attack(world, { row, change, recipe }, { [row.id]: change })
  if (alone.by) return { mutant, end: 'killed', by: alone.by, faults: alone.faults }
  if (together) {
    const all = Object.fromEntries([row.id, ...together.rows].map((id) => [id, change]))
    const { by, faults } = await attack(world, { row, change, recipe }, all)
    if (by) return { mutant, end: 'killed together', by: `${together.why}; ${by}`, faults }
  }
  const other = mutant.kind === 'ceiling' ? withoutFlags : underRaisedCeiling
  const base = { [row.id]: other.change }
  const both = { [row.id]: (condition: Condition) => change(other.change(condition)) }
  const apart = await attack(world, { row: { ...row, ...other.change(row) }, change, recipe }, both, base)
  if (apart.by)
    return { mutant, end: 'killed together', by: `${other.name}; ${apart.by}`, faults: apart.faults }
  return { mutant, end: 'survived', by: 'no cell of the row noticed it', faults: [] }
}

/**
 * Runs the cells of each row against servers that leave out one check: each group of flags, each of several
 * flags that are enough, and the ceiling for each role. At least one cell must fail. The server runs in this
 * process, and its loaded table is changed there; the law of the matrix is read from the file.
 */
export const mutants = defineScenario({
  options: { only: '', list: false },
  nightly: { list: true },

  arrange({ defer }): Promise<World> {
    return startWorld(principals, defer)
  },

  async act(world, { options: { only }, print, seconds }) {
    const verdicts: Verdict[] = []
    const all = allMutants(only)
    for (const mutant of all) {
      verdicts.push(await judge(world, mutant))
      if (verdicts.length % 25 === 0) print(`  ${verdicts.length} of ${all.length} in ${seconds()} s`)
    }
    return verdicts
  },

  check(verdicts, _world, { options: { list }, print }) {
    const nameOf = ({ row, what }: Mutant) => `${row.id}, ${what}`
    if (list) for (const { mutant, end, by } of verdicts) print(`${end}: ${nameOf(mutant)} (${by})`)
    const kinds: Kind[] = [
      'flag of a given row',
      "flag of the project's row",
      'one of several flags',
      'ceiling',
    ]
    const count = (kind: Kind, end: Verdict['end']) =>
      verdicts.filter((one) => one.mutant.kind === kind && one.end === end).length
    const ends = ['killed', 'killed together', 'survived'] as const
    for (const line of alignColumns([
      ['left out', ...ends],
      ...kinds.map((kind) => [kind, ...ends.map((end) => String(count(kind, end)))]),
    ]))
      print(line)
    return [
      ...kinds.map((kind): Result => {
        const own = verdicts.filter(({ mutant }) => mutant.kind === kind)
        const survivors = own.filter(({ end }) => end === 'survived')
        return {
          property: `left out, it is missed: ${kind}`,
          checked: own.length,
          faults: survivors.map(({ mutant }) => nameOf(mutant)),
        }
      }),
      {
        property: 'what fails holds without the mutant',
        checked: verdicts.length,
        faults: verdicts.flatMap(({ faults }) => faults),
      },
    ].filter(({ checked }) => checked > 0)
  },
})
