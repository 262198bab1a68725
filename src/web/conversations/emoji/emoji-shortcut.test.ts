import { expect, test } from 'vitest'
import { emojiShortcutAt } from './emoji-shortcut.ts'

const at = (text: string, caret = text.length) => emojiShortcutAt(text, caret)

test('a colon and two letters before the cursor ask for an emoji', () => {
  expect(at(':co')).toEqual({ asked: 'co', from: 0, to: 3 })
  expect(at('bom dia :coração')).toEqual({ asked: 'coração', from: 8, to: 16 })
  expect(at('bom dia :cora e até', 13)).toEqual({ asked: 'cora', from: 8, to: 13 })
  expect(at('\n:rosto_de')).toEqual({ asked: 'rosto de', from: 1, to: 10 })
})

test('emoticons, times, addresses and words ask for no emoji', () => {
  for (const text of [':D', ':)', 'às 10:30', ' :30', 'https://a', 'obs:ok', ': ok', ':co ', '::co', ''])
    expect(at(text)).toBeUndefined()
  expect(at(':coração', 3)).toBeUndefined()
})
