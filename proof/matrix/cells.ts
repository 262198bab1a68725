import { changeLine, changesSince, changesUpTo, isByTheWay } from '../access/changes.ts'
import { expectedOutcome, type Outcome, type Question } from '../access/expected.ts'
import type { Caller } from '../access/people.ts'
import { type Case, isWatch, type Recipe, type Target } from '../access/recipe.ts'
import { isPerson } from '../access/principals.ts'
import type { Row } from '../access/table.ts'
import type { Answer, World } from '../access/world.ts'
import { eachOf } from '../support/two-instances.ts'

/** What came of the cells of a row. */
export interface RowReport {
  row: Row
  cells: number
  /** The cells whose own question, that of the first case, is permitted. */
  allowed: number
  /** Calls made, over all cases. */
  calls: number
  /** Cells with another outcome than the table demands. */
  wrong: string[]
  /** What refused calls have changed. */
  effects: string[]
}

/** Eight calls at a time keep two instances and the database busy. */
const together = 8

const questionOf = (row: Row, { sees = 'anybody', needs, status, refused, part }: Case): Question => ({
  row,
  sight: sees,
  needs,
  permitted: status,
  refused,
  isPart: part !== undefined,
})

/** Whether a call that ends so was one that may not be made. */
const isRefusal = (outcome: Outcome) =>
  outcome === 401 || outcome === 403 || outcome === 404 || outcome === 'no frame'

/** @throws Error for a target that is no call of the row */
function expectOfRow(row: Row, { path }: Target): void {
  const pattern = row.path.replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')
  const [plain = ''] = path.split('?')
  if (!new RegExp(`^${pattern}$`).test(plain)) throw new Error(`${row.id}: its recipe calls ${path}`)
}

function outcomeOf({ part }: Case, { status, text }: Answer): Outcome {
  if (!part || status !== 200) return status
  return part(JSON.parse(text)) ? status : 'without'
}

interface Trial {
  what: string
  caller: Caller
  expected: Outcome
  make: () => Promise<{ outcome: Outcome; text: string }>
}

async function trialsOf(world: World, row: Row, one: Case): Promise<Trial[]> {
  const { callers } = world
  const targets = await one.targets(world, callers)
  return callers.map((caller, n) => {
    const target = targets[n]
    if (!target) throw new Error(`${row.id}: its recipe has no target for ${caller.principal.name}`)
    expectOfRow(row, target)
    return {
      what: one.what,
      caller,
      expected: expectedOutcome(caller.principal, questionOf(row, one)),
      make: async () => {
        const answer = await world.send(n, { method: row.method, token: caller.token, ...target })
        return { outcome: outcomeOf(one, answer), text: answer.text }
      },
    }
  })
}

/** Executes the cells of a row: first all that must be refused, and have no effect; then the others. */
export async function tryRow(world: World, row: Row, recipe: Recipe): Promise<RowReport> {
  const report: RowReport = { row, cells: world.callers.length, allowed: 0, calls: 0, wrong: [], effects: [] }
  if (isWatch(recipe)) throw new Error('not yet')
  const trials: Trial[] = []
  for (const one of recipe) {
    const made = await trialsOf(world, row, one)
    if (one === recipe[0]) report.allowed = made.filter(({ expected }) => !isRefusal(expected)).length
    trials.push(...made)
  }
  const refused = trials.filter(({ expected }) => isRefusal(expected))
  const calls = world.gatewayCalls()
  const place = await changesUpTo(world.database)
  await tryAll(report, refused)
  const changes = (await changesSince(world.database, place)).filter((change) => !isByTheWay(change))
  report.effects = changes.map((change) => `${row.id}: ${changeLine(change)}`)
  if (world.gatewayCalls() > calls) report.effects.push(`${row.id}: the gateway was called`)
  await tryAll(
    report,
    trials.filter(({ expected }) => !isRefusal(expected)),
  )
  return report
}

async function tryAll(report: RowReport, trials: readonly Trial[]): Promise<void> {
  await eachOf(trials, together, async ({ what, caller, expected, make }) => {
    report.calls++
    const { outcome, text } = await make()
    if (outcome === expected) return
    const whose = isPerson(caller.principal) ? caller.principal.name : caller.principal.name
    report.wrong.push(
      `${report.row.id}, ${what}, ${whose}: ${outcome} instead of ${expected}; ${text.slice(0, 200)}`,
    )
  })
}
