import { principals } from '../access/principals.ts'
import { recipes } from '../access/recipes/recipes.ts'
import { builtRows, missingRows } from '../access/table.ts'
import { startWorld, type World } from '../access/world.ts'
import { defineScenario } from '../support/scenario.ts'
import { alignColumns } from '../support/table.ts'
import { type RowReport, tryRow } from './cells.ts'

/** One line for the trials of a row and case that went wrong in the same way, with the first of them. */
function groupWrong({ row, wrong }: RowReport): string[] {
  const groups = Map.groupBy(
    wrong,
    ({ trial, outcome }) => `${row.id}, ${trial.what}: ${outcome} instead of ${trial.expected}`,
  )
  return [...groups].map(([fault, all]) => {
    const [first] = all
    const example = `'${first?.trial.caller.principal.name}'; ${first?.text.slice(0, 200) ?? ''}`
    return `${fault}, ${all.length} ×, such as for ${example}`
  })
}

/**
 * Executes every cell of the permission matrix, each row for each of the 155 principals, against the running
 * program: with a valid body and a target that exists, so that a refusal has no other reason. What the table
 * demands is computed from permissions.json and the decisions, without the server's code.
 */
export const matrix = defineScenario({
  options: { only: '' },
  nightly: {},

  arrange({ defer }): Promise<World> {
    return startWorld(principals, defer)
  },

  async act(world, { options: { only }, print, seconds }) {
    const chosen = builtRows.filter(({ id }) => id.includes(only))
    const reports: RowReport[] = []
    for (const row of chosen) {
      const recipe = recipes[row.id]
      if (recipe) reports.push(await tryRow(world, row, recipe))
    }
    print(`  ${reports.length} rows in ${seconds()} s`)
    return { chosen, reports }
  },

  check({ chosen, reports }, _world, { print }) {
    const sum = (count: (report: RowReport) => number) => reports.reduce((all, one) => all + count(one), 0)
    const cells = sum((report) => report.cells)
    const allowed = sum((report) => report.allowed)
    const wrong = reports.flatMap((report) => groupWrong(report))
    const effects = reports.flatMap((report) => report.effects)
    const without = chosen.filter(({ id }) => !recipes[id])
    const missing = missingRows.length * principals.length
    for (const line of alignColumns([
      ['cells', 'allowed', 'refused', 'wrong', 'calls', 'rows', 'rows not built', 'their cells'],
      [
        cells,
        allowed,
        cells - allowed,
        sum((one) => one.wrong.length),
        sum((one) => one.calls),
        reports.length,
      ]
        .map(String)
        .concat(String(missingRows.length), String(missing)),
    ]))
      print(line)
    return [
      { property: 'every cell has the outcome of the table', checked: cells, faults: wrong },
      { property: 'what is refused has no effect', checked: cells - allowed, faults: effects },
      {
        property: 'every row that is built has a recipe',
        checked: chosen.length,
        faults: without.map(({ id }) => `${id}: add its recipe to a file of proof/access/recipes`),
      },
    ]
  },
})
