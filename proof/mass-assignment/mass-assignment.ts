import { z } from 'zod'
import { uploadFields } from '#shared/messages/media.ts'
import { allCalls } from '#server/testing/calls.ts'
import {
  type Change,
  changedColumns,
  changesSince,
  changesUpTo,
  isByTheWay,
  changeLine,
} from '../access/world/changes.ts'
import type { Caller } from '../access/world/people.ts'
import { type Principal, principals } from '../access/law/principals.ts'
import { type Case, casesOf, isWatch, type Target, targetsOf } from '../access/recipe.ts'
import { recipes } from '../access/recipes.ts'
import { tableRows, type Row } from '../access/law/table.ts'
import { type Answer, startWorld, untilCalm, type World } from '../access/world/world.ts'
import { defineScenario } from '../support/scenario.ts'
import { type Extra, listExtras, marks, partsOf, poisoned, stuffed } from './stuffing.ts'

interface Found {
  calls: number
  /** Of stuffed calls, by status. */
  statuses: Map<number, number>
  notOwned: string[]
  stored: string[]
  different: string[]
  poisoned: { tried: number; faults: string[] }
}

const admins: readonly Principal[] = principals.filter(({ name }) => name === 'admin')

/** The changing rows that an administrator may use, with the case that is called. */
function changingRows(): { row: Row; one: Case }[] {
  return tableRows.flatMap((row) => {
    const recipe = recipes[row.id]
    if (row.method === 'GET' || row.method === 'WS' || row.path === '/api/webhook/evolution') return []
    if (!row.public && !row.ceiling.includes('admin')) return []
    const [one] = !recipe || isWatch(recipe) ? [] : casesOf(recipe)
    if (!one) throw new Error(`${row.id}: add its recipe to a file of proof/rooms`)
    return [{ row, one }]
  })
}

/** What the call of a row may change. */
function changesOf({ id }: Row): readonly string[] {
  const recipe = recipes[id]
  return recipe && 'changes' in recipe ? recipe.changes : []
}

/** Makes one call and notes what it changes. */
async function observe(
  world: World,
  row: Row,
  caller: Caller,
  target: Target,
): Promise<{ answer: Answer; changes: Change[] }> {
  await untilCalm(world)
  const place = await changesUpTo(world.database)
  const answer = await world.send(0, { method: row.method, token: caller.token, ...target })
  await untilCalm(world)
  const changes = (await changesSince(world.database, place)).filter((change) => !isByTheWay(change))
  return { answer, changes }
}

/** `users.name` for a changed column, `+users` for a new row, `-users` for a deleted one. */
const namesOf = (change: Change): string[] =>
  change.op === 'UPDATE'
    ? changedColumns(change).map((column) => `${change.relation}.${column}`)
    : [`${change.op === 'INSERT' ? '+' : '-'}${change.relation}`]

/** The values of new rows of which a body could set only one of few. */
function switchesOf(changes: readonly Change[]): string[] {
  return changes
    .filter(({ op, relation }) => op === 'INSERT' && relation !== 'events')
    .flatMap(({ relation, after }) =>
      Object.entries(after ?? {})
        .filter(([, value]) => typeof value === 'boolean' || (typeof value === 'string' && isWord(value)))
        .map(([column, value]) => `${relation}.${column} = ${String(value)}`),
    )
}

/** Of an enumeration, and not a name that a recipe has made up. */
const isWord = (text: string) => /^[A-Za-z_]{2,20}$/.test(text)

function judge(
  row: Row,
  observed: { answer: Answer; changes: Change[] },
  plain: Change[],
  found: Found,
): void {
  const { answer, changes } = observed
  const { status, text } = answer
  found.calls++
  found.statuses.set(status, (found.statuses.get(status) ?? 0) + 1)
  const what = `${row.id}: ${status}`
  if (status >= 500) found.stored.push(`${what} ${text.slice(0, 200)}`)
  if (status >= 400) {
    // An unknown name is refused as a whole.
    if (changes.length > 0) found.notOwned.push(`${what}, and ${changes.map(changeLine).join('; ')}`)
    return
  }
  const own = new Set(changesOf(row))
  const strange = [...new Set(changes.flatMap(namesOf))].filter((name) => !own.has(name))
  if (strange.length > 0) found.notOwned.push(`${what}: ${strange.join(', ')}`)
  const written = JSON.stringify(changes.map(({ after }) => after))
  for (const mark of Object.values(marks).map(String))
    if (written.includes(mark)) found.stored.push(`${what}: ${mark} in ${written.slice(0, 300)}`)
  const before = new Set(switchesOf(plain))
  const other = switchesOf(changes).filter((line) => !before.has(line))
  if (other.length > 0) found.different.push(`${what}: ${other.join(', ')}`)
}

/** @returns what the call changes, as far as that is seen */
async function tryRow(world: World, { row, one }: { row: Row; one: Case }, found: Found): Promise<string[]> {
  const [admin] = world.callers
  if (!admin) throw new Error('there is no administrator')
  const make = async (count: number) =>
    targetsOf(
      world,
      row,
      one,
      Array.from({ length: count }, () => admin),
    )
  const [first] = await make(1)
  if (!first) throw new Error(`${row.id}: its recipe has no target`)
  const plain = await observe(world, row, admin, first)
  // Of what nobody has switched on, the refusal is the whole answer.
  if (plain.answer.status >= 400 && plain.answer.status !== one.status)
    throw new Error(`${row.id}: ${plain.answer.status} without more, ${plain.answer.text}`)
  const taken = await takenNames(row)
  for (const isOn of [true, false]) {
    const strange = (await listExtras(world.database, isOn)).filter(({ name }) => !taken.includes(name))
    const parts: Extra[][] = partsOf(strange, first)
    const targets = await make(parts.length)
    for (const [n, part] of parts.entries()) {
      const target = stuffed(targets[n] as Target, part)
      judge(row, await observe(world, row, admin, target), plain.changes, found)
    }
  }
  if (!first.form) await poison(world, row, admin, await make(2), found)
  return [...new Set(plain.changes.flatMap(namesOf))].toSorted()
}

interface Described {
  properties?: Record<string, unknown>
  anyOf?: Described[]
  oneOf?: Described[]
}

const namesIn = ({ properties = {}, anyOf = [], oneOf = [] }: Described): string[] => [
  ...Object.keys(properties),
  ...[...anyOf, ...oneOf].flatMap(namesIn),
]

/** The names that the body of the call has in its description, with those of a form's fields. */
async function takenNames({ id, path }: Row): Promise<string[]> {
  const call = (await allCalls()).find((one) => id in one.rows)
  const schema = path === '/api/media/upload' ? uploadFields : call?.body
  return schema ? namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described) : []
}

async function poison(
  world: World,
  row: Row,
  admin: Caller,
  targets: readonly Target[],
  found: Found,
): Promise<void> {
  for (const [n, target] of targets.entries()) {
    const text = poisoned(target)[n] ?? ''
    const raw = { ...target, form: { type: 'application/json', bytes: Buffer.from(text) } }
    const { answer, changes } = await observe(world, row, admin, raw)
    found.poisoned.tried++
    if (answer.status !== 400 || changes.length > 0)
      found.poisoned.faults.push(`${row.id}: ${answer.status} for ${text.slice(0, 60)}`)
  }
}

/**
 * Makes every changing call with a body that also names every column of the database, in both spellings and
 * with values of its own. Only what the call is there for may change; a prototype is refused.
 */
export const massAssignment = defineScenario({
  options: { only: '', learn: false },
  nightly: {},

  arrange({ defer }): Promise<World> {
    return startWorld(admins, defer)
  },

  async act(world, { options: { only, learn }, print }) {
    const found: Found = {
      calls: 0,
      statuses: new Map(),
      notOwned: [],
      stored: [],
      different: [],
      poisoned: { tried: 0, faults: [] },
    }
    const chosen = changingRows().filter(({ row }) => row.id.includes(only))
    for (const each of chosen) {
      const seen = await tryRow(world, each, found)
      if (learn) print(`  '${each.row.id}': ${seen.join(' ')}`)
    }
    return { found, rows: chosen.map(({ row }) => row) }
  },

  check({ found, rows }, _world, { print }) {
    const statuses = [...found.statuses].map(([status, n]) => `${n} × ${status}`).join(', ')
    print(`${rows.length} changing calls, made ${found.calls} times: ${statuses}`)
    return [
      {
        property: 'only columns that the call owns change',
        checked: found.calls,
        // Each call is made several times, with the same outcome.
        faults: [...new Set(found.notOwned)],
      },
      { property: 'no value of a strange name is stored', checked: found.calls, faults: found.stored },
      { property: 'a new row is as without strange names', checked: found.calls, faults: found.different },
      {
        property: 'what reaches for a prototype is refused',
        checked: found.poisoned.tried,
        faults: found.poisoned.faults,
      },
    ]
  },
})
