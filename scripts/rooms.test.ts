import { expect, test } from 'vitest'
import { changedParts, lists, listText, storedText } from './rooms.ts'

test.each(lists)('$file lists what the rooms declare: `npm run rooms` writes it', (list) => {
  expect(storedText(list)).toBe(listText(list))
})

const before = `// Written
import * as users from '#shared/users/audit.ts'

export const sentences = {
  ...users.sentences,
} as const

export interface Details
  extends
    users.Details {}
`
const withTags = before
  .replace('import * as users', "import * as tags from '#shared/tags/audit.ts'\nimport * as users")
  .replace('  ...users.sentences,\n', '  ...tags.sentences,\n  ...users.sentences,\n')
  .replace('    users.Details {}', '    users.Details,\n    zones.Details {}')
  .replace('import * as users', "import * as zones from '#shared/zones/audit.ts'\nimport * as users")

test('the changed parts of a list are those of the rooms whose lines differ, in both directions', () => {
  const parts = ['src/shared/tags/audit.ts', 'src/shared/zones/audit.ts']
  expect(changedParts(before, withTags)?.toSorted()).toEqual(parts)
  expect(changedParts(withTags, before)?.toSorted()).toEqual(parts)
  expect(changedParts(before, before)).toEqual([])
})

test('the changed parts of a list are unknown when it is new, gone, or folded otherwise', () => {
  expect(changedParts('', before)).toBeUndefined()
  expect(changedParts(before, '')).toBeUndefined()
  expect(changedParts(before, before.replace('const sentences', 'const texts'))).toBeUndefined()
})
