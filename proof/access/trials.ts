import { eachOf } from '../support/two-instances.ts'
import { expectedOutcome, type Outcome, type Question } from './law/expected.ts'
import { type Caller, freshenSessions } from './world/people.ts'
import { type Case, casesOf, isWatch, type Recipe, type Target, targetsOf, type Watch } from './recipe.ts'
import type { Row } from './law/table.ts'
import type { Answer, World } from './world/world.ts'

/** A call of a caller, with what it must be answered with. */
export interface Trial {
  row: Row
  /** The case of the recipe. */
  what: string
  caller: Caller
  expected: Outcome
  make(): Promise<Answered>
}

interface Answered {
  outcome: Outcome
  /** Of the answer. */
  text: string
}

/** A trial with another outcome than the table demands. */
export interface Wrong extends Answered {
  trial: Trial
}

/** Eight calls at a time keep two instances and the database busy. */
const together = 8

/** Whether a call that ends so was one that may not be made. */
export const isRefusal = (outcome: Outcome) =>
  outcome === 401 || outcome === 403 || outcome === 404 || outcome === 'no frame'

/** What a case of a recipe asks. */
export const questionOf = (row: Row, { sees = 'anybody', needs, status, refused, part }: Case): Question => ({
  row,
  sight: sees,
  needs,
  permitted: status,
  refused,
  isPart: part !== undefined,
})

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

async function trialsOfCase(world: World, row: Row, one: Case): Promise<Trial[]> {
  const { callers } = world
  const targets = await targetsOf(world, row, one, callers)
  return callers.map((caller, n) => {
    const target = targets[n]
    if (!target) throw new Error(`${row.id}: its recipe has no target for ${caller.principal.name}`)
    expectOfRow(row, target)
    return {
      row,
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

/** Everybody listens at once, when the first of them is asked what they heard. */
function trialsOfWatch(world: World, row: Row, watch: Watch): Trial[] {
  const question: Question = {
    row,
    sight: 'anybody',
    permitted: watch.permitted,
    refused: watch.refused,
  }
  let observing: Promise<readonly Outcome[]> | undefined
  return world.callers.map((caller, n) => ({
    row,
    what: watch.what,
    caller,
    expected: expectedOutcome(caller.principal, question),
    make: async () => {
      observing ??= watch.observe(world, world.callers)
      const outcome = (await observing)[n]
      if (outcome === undefined) throw new Error(`${row.id}: nothing was observed`)
      return { outcome, text: '' }
    },
  }))
}

/** The trials of a row, by its cases; each of them may be made once. */
export async function trialsOf(world: World, row: Row, recipe: Recipe): Promise<Trial[][]> {
  await freshenSessions(world.database)
  if (isWatch(recipe)) return [trialsOfWatch(world, row, recipe)]
  const cases: Trial[][] = []
  for (const one of casesOf(recipe)) cases.push(await trialsOfCase(world, row, one))
  return cases
}

/** Makes the trials. @returns those with another outcome than expected */
export async function tryAll(trials: readonly Trial[]): Promise<Wrong[]> {
  const wrong: Wrong[] = []
  await eachOf(trials, together, async (trial) => {
    const answered = await trial.make()
    if (answered.outcome !== trial.expected) wrong.push({ trial, ...answered })
  })
  return wrong
}

/** Makes the trials one after the other up to the first with another outcome than expected. */
export async function firstWrong(trials: readonly Trial[]): Promise<Wrong | undefined> {
  for (const trial of trials) {
    const answered = await trial.make()
    if (answered.outcome !== trial.expected) return { trial, ...answered }
  }
  return undefined
}
