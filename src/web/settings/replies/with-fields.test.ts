import { expect, test } from 'vitest'
import { withFields } from './with-fields.ts'

test.each([
  ['Oi, Ana! A Ana Paula Reis é você?', 'Ana Paula Reis', 'Oi, {{firstName}}! A {{contact}} é você?'],
  ['Banana para a Anabela', 'Ana Reis', 'Banana para a Anabela'],
  ['Ligue para +55 11 98734-2210', '+55 11 98734-2210', 'Ligue para +55 11 98734-2210'],
  ['Bom dia', '', 'Bom dia'],
])('the text %j to %j is kept for any client', (text, name, kept) => {
  expect(withFields(text, name)).toBe(kept)
})
