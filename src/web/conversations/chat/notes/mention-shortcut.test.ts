import { expect, test } from 'vitest'
import { mentionShortcutAt } from './mention-shortcut.ts'

const asked = (text: string, ...chosen: string[]) =>
  mentionShortcutAt(
    text.replace('|', ''),
    text.indexOf('|'),
    chosen.map((name) => ({ name })),
  )?.asked

test.each([
  ['@|', ''],
  ['veja @ana b|', 'ana b'],
  ['(@ana|', 'ana'],
  ['uma\n@ana| depois', 'ana'],
  ['@jo|ão', 'jo'],
])('what is typed in %j asks for somebody', (text, typed) => {
  expect(asked(text)).toBe(typed)
})

test.each(['ana|', 'ana@exemplo|', '@ana\nb|', '@ ana|', '@ana  b|', `@${'a'.repeat(40)}|`, '|@ana'])(
  'what is typed in %j asks for nobody',
  (text) => {
    expect(asked(text)).toBeUndefined()
  },
)

test('behind a name that was chosen nobody is asked for, and behind the next @ somebody is', () => {
  expect(asked('@Ana Beatriz |', 'Ana Beatriz')).toBeUndefined()
  expect(asked('@Ana Beatriz pode|', 'Ana Beatriz')).toBeUndefined()
  expect(asked('@Ana Beatriz e @|', 'Ana Beatriz')).toBe('')
  expect(asked('@Ana Bea|', 'Ana Beatriz')).toBe('Ana Bea')
})
