import { expect, test } from 'vitest'
import { commandLetters } from '#web/platform/commands.ts'
import { shortcuts } from './shortcuts.ts'

test('the sheet lists each letter that a command may have, once, and no other', () => {
  const ways = shortcuts.flatMap(({ keys }) => keys.flatMap(({ with: each }) => each))
  const letters = ways.flatMap(([first, key = '']) => (first === 'Alt' && /^[A-Z]$/.test(key) ? [key] : []))
  expect(letters).toHaveLength(commandLetters.length)
  expect(new Set(letters)).toEqual(new Set<string>(commandLetters))
})
