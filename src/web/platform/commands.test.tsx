// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react'
import { Check } from 'lucide-react'
import { expect, test } from 'vitest'
import { type Command, commandFor, useCommands } from './commands.ts'

const press = (given: KeyboardEventInit) => commandFor(new KeyboardEvent('keydown', given))?.id

test('Alt and its letter mean a command while it is on offer, also where Alt changes the letter', () => {
  const command = { id: 'take', group: 'Esta conversa', label: 'Assumir', icon: Check, run: () => undefined }
  const commands: Command[] = [command, { ...command, id: 'transfer', letter: 'T' }]
  const { unmount } = renderHook(() => useCommands(commands))
  expect(press({ altKey: true, key: 't', code: 'KeyT' })).toBe('transfer')
  expect(press({ altKey: true, key: '†', code: 'KeyT' })).toBe('transfer')
  // Another keyboard layout: the letter counts, not where it is.
  expect(press({ altKey: true, key: 't', code: 'KeyK' })).toBe('transfer')
  expect(press({ altKey: true, key: 'k', code: 'KeyT' })).toBeUndefined()
  // AltGr, which writes characters, is Ctrl and Alt on Windows.
  expect(press({ altKey: true, ctrlKey: true, key: 't', code: 'KeyT' })).toBeUndefined()
  expect(press({ key: 't', code: 'KeyT' })).toBeUndefined()
  expect(press({ altKey: true, key: 'ArrowUp', code: 'ArrowUp' })).toBeUndefined()
  unmount()
  expect(press({ altKey: true, key: 't', code: 'KeyT' })).toBeUndefined()
})
