import { expect, test } from 'vitest'
import { mentionParts } from './mention-parts.ts'

const marked = (text: string, ...names: string[]) =>
  mentionParts(text, names)
    .map((part) => (part.isMention ? `[${part.text}]` : part.text))
    .join('')

test.each([
  ['Pode, @Ana.', ['Ana'], 'Pode, [@Ana].'],
  ['@Ana Beatriz e @Ana', ['Ana', 'Ana Beatriz'], '[@Ana Beatriz] e [@Ana]'],
  ['@Ana@Ana', ['Ana'], '[@Ana][@Ana]'],
  ['ana@exemplo.com', ['Ana'], 'ana@exemplo.com'],
  ['@Ana', [], '@Ana'],
  ['@', ['Ana'], '@'],
  ['', ['Ana'], ''],
  ['@a.*b e @axb', ['a.*b'], '[@a.*b] e @axb'],
  ['😀 @José 😀', ['José'], '😀 [@José] 😀'],
])('in %j the mentions of %j stand out', (text, names, shown) => {
  expect(marked(text, ...names)).toBe(shown)
})
