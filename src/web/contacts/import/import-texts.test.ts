import { expect, test } from 'vitest'
import type { ImportMapping } from '#shared/contacts/contact-imports.ts'
import { foundText } from './import-texts.ts'

const mapping: ImportMapping = ['name', 'phone', 'email']

test.each([
  [{ totalRows: 4, knownRows: 1, errors: 2 }, '1 já existe, 1 é novo, 2 com erro'],
  [{ totalRows: 4, knownRows: 2, errors: 0 }, '2 já existem, 2 são novos'],
  [{ totalRows: 1, knownRows: 0, errors: 1 }, '0 já existem, 0 são novos, 1 com erro'],
  [{ totalRows: 1500, knownRows: 1, errors: 0 }, '1 já existe, 1.499 são novos'],
  [{ totalRows: 4, knownRows: null, errors: 0 }, ''],
])('before an import of %j it is said what its rows are', (job, text) => {
  expect(foundText({ ...job, mapping }, mapping)).toBe(text)
})

test('the rows are not counted by other columns than those that the file was read with', () => {
  const job = { totalRows: 4, knownRows: 1, errors: 2, mapping }
  expect(foundText(job, ['name', 'phone', null])).toBe('')
})
