import { expect, test } from 'vitest'
import { expectedOutcome, flagsOf, type Sight } from './law/expected.ts'
import { isPerson, principals } from './law/principals.ts'
import { recipes } from './recipes.ts'
import { rowOf, tableRows } from './law/table.ts'

test('every row of the permission table has a recipe in proof/rooms, and no other has', () => {
  expect(Object.keys(recipes).toSorted()).toEqual(tableRows.map(({ id }) => id).toSorted())
})

const principal = (name: string) => {
  const found = principals.find((one) => one.name === name)
  if (!found) throw new Error(`no principal '${name}'`)
  return found
}

const outcome = (name: string, rowId: string, sight: Sight = 'anybody', permitted = 200) =>
  expectedOutcome(principal(name), { row: rowOf(rowId), sight, permitted })

test('the law of the matrix, in cells that the decisions name', () => {
  const completed = 'GET /api/conversations/{completed}'
  // D4: not visible, so not found; and who reads no conversations at all is told so.
  expect(outcome('operator, role defaults', completed, 'archive')).toBe(404)
  expect(outcome('operator, column defaults', completed, 'archive')).toBe(200)
  expect(outcome('operator, all off', completed, 'archive')).toBe(403)
  // D6: a flag under an administrator's ceiling gives nothing.
  expect(outcome('supervisor, all on', 'PUT /api/users/{id}')).toBe(403)
  // D1: an administrator's record is ignored.
  expect(outcome('admin, all-off record', 'PUT /api/users/{id}')).toBe(200)
  // D7: open ones by flag, archived ones by administrators.
  expect(outcome('supervisor, all on', 'DELETE /api/conversations/{archived}', 'archive', 204)).toBe(403)
  expect(outcome('supervisor, all on', 'DELETE /api/conversations/{open}', 'reader', 204)).toBe(204)
  // D15, D18: nobody.
  expect(outcome('admin', 'DELETE /api/users/{self}')).toBe(403)
  expect(outcome('admin', 'POST /api/webhook/evolution')).toBe(401)
  // A flag is enough for what it is about, and for nothing that is not seen.
  expect(
    outcome('operator, only canEditConversations', 'PATCH /api/conversations/{id}/priority', 'reader'),
  ).toBe(404)
  expect(outcome('session: blocked', 'GET /api/server-time')).toBe(401)
})

test('nobody but an administrator has the flag of tracking', () => {
  const people = principals.filter(isPerson).filter((one) => flagsOf(one).has('canViewTrackingMessages'))
  expect(people.map(({ name }) => name)).toEqual(['admin', 'admin, all-off record'])
})
