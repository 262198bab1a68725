import { givenRows } from '../access/law/given-rows.ts'
import { principals } from '../access/law/principals.ts'
import { recipes } from '../access/recipes.ts'
import { tableRows } from '../access/law/table.ts'
import { startWorld, type World } from '../access/world/world.ts'
import { defineScenario } from '../support/scenario.ts'
import { alignColumns } from '../support/table.ts'
import { type RowReport, tryRow } from './cells.ts'
import { sampleCallers } from './sample.ts'

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

/** How the cells of the given rows and of the project's own add up. */
function sumUp(reports: readonly RowReport[]): string[] {
  const isGiven = (id: string) => id in givenRows
  const line = (name: string, of: (id: string) => boolean) => {
    const done = reports.filter(({ row }) => of(row.id))
    const sum = (count: (report: RowReport) => number) => done.reduce((all, one) => all + count(one), 0)
    const [cells, allowed] = [sum((one) => one.cells), sum((one) => one.allowed)]
    const figures = [
      done.length,
      cells,
      allowed,
      cells - allowed,
      sum((one) => one.wrong.length),
      sum((one) => one.calls),
    ]
    return [name, ...figures.map(String)]
  }
  return alignColumns([
    ['rows', 'executed', 'cells', 'allowed', 'refused', 'wrong', 'calls'],
    line('given', isGiven),
    line("the project's", (id) => !isGiven(id)),
    line('together', () => true),
  ])
}

/**
 * Executes every cell of the permission matrix, each row for each of the principals, against the running
 * program: with a valid body and a target that exists, so that a refusal has no other reason. What the table
 * demands is computed from permissions.json and the decisions, without the server's code. With `--others N`
 * only N, which the row decides, of the principals whom nothing but a flag that the row does not name tells
 * apart.
 */
export const matrix = defineScenario({
  options: { only: '', others: principals.length },
  nightly: {},

  arrange({ defer }): Promise<World> {
    return startWorld(principals, defer)
  },

  async act(world, { options: { only, others }, print, seconds }) {
    const chosen = tableRows.filter(({ id }) => id.includes(only))
    const reports: RowReport[] = []
    for (const row of chosen) {
      const recipe = recipes[row.id]
      const callers = sampleCallers(world.callers, row, others)
      if (recipe) reports.push(await tryRow({ ...world, callers }, row, recipe))
    }
    print(`  ${reports.length} rows in ${seconds()} s`)
    return { chosen, reports }
  },

  check({ chosen, reports }, _world, { print }) {
    const cells = reports.reduce((sum, one) => sum + one.cells, 0)
    const refused = reports.reduce((sum, one) => sum + one.cells - one.allowed, 0)
    const wrong = reports.flatMap((report) => groupWrong(report))
    const effects = reports.flatMap((report) => report.effects)
    const audits = reports.flatMap((report) => report.audits)
    const without = chosen.filter(({ id }) => !recipes[id])
    for (const line of sumUp(reports)) print(line)
    return [
      { property: 'every cell has the outcome of the table', checked: cells, faults: wrong },
      { property: 'what is refused has no effect', checked: refused, faults: effects },
      {
        property: 'what is permitted leaves in the audit log what its row declares',
        checked: reports.length,
        faults: audits,
      },
      {
        property: 'every row has a recipe',
        checked: chosen.length,
        faults: without.map(({ id }) => `${id}: add its recipe to a file of proof/rooms`),
      },
    ]
  },
})
