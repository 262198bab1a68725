import { expect, test } from 'vitest'
import { lists, listText, storedText } from './rooms.ts'

test.each(lists)('$file lists what the rooms declare: `npm run rooms` writes it', (list) => {
  expect(storedText(list)).toBe(listText(list))
})
