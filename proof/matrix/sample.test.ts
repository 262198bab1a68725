import { expect, test } from 'vitest'
import { principals } from '../access/law/principals.ts'
import { tableRows } from '../access/law/table.ts'
import { sampleCallers } from './sample.ts'

const callers = principals.map((principal) => ({ principal }))
const namesOf = (row: (typeof tableRows)[number], others: number) =>
  sampleCallers(callers, row, others).map(({ principal }) => principal.name)

test('the rows of a short run of the matrix together meet every principal beyond their own', () => {
  const met = new Set<string>()
  for (const row of tableRows) {
    const own = new Set(namesOf(row, 0))
    const others = namesOf(row, 6).filter((name) => !own.has(name))
    expect(others).toHaveLength(6)
    for (const name of others) met.add(name)
  }
  const flagged = principals.map(({ name }) => name).filter((name) => / (only|all but) /.test(name))
  expect(flagged.filter((name) => !met.has(name))).toEqual([])
})

test('a whole run of the matrix tries every row by all principals', () => {
  for (const row of tableRows)
    expect(namesOf(row, principals.length)).toEqual(principals.map(({ name }) => name))
})
