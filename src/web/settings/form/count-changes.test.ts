import { expect, test } from 'vitest'
import { countChanges } from './count-changes.ts'

const pix = { shortcut: 'pix', text: 'Chave' }
const prazo = { shortcut: 'prazo', text: 'Dois dias' }
const file = { name: '1.png', fileName: 'tabela.png', mimeType: 'image/png', size: 1 }

test.each<[string, unknown, unknown, number]>([
  ['nothing', [pix], [{ ...pix }], 0],
  ['a text', 'a', 'b', 1],
  ['start and end', { start: '09:00', end: '18:00' }, { start: '08:00', end: '17:00' }, 2],
  ['another day instead', [1, 2, 3], [1, 2, 6], 2],
  ['a day added in the middle', [1, 3], [1, 2, 3], 1],
  ['a reply added', [pix], [pix, prazo], 1],
  ['a reply removed', [pix, prazo], [prazo], 1],
  ['two equal ones, one of them removed', [pix, pix], [pix], 1],
  ['two more of an equal one', [pix], [pix, pix, pix], 2],
  ['another order', [pix, prazo], [prazo, pix], 1],
  [
    'two replies changed',
    [pix, prazo],
    [
      { ...pix, text: 'A' },
      { ...prazo, text: 'B' },
    ],
    2,
  ],
  ['both fields of a reply', [pix, prazo], [pix, { shortcut: 'p', text: 'B' }], 2],
  ['a file attached', [pix], [{ ...pix, file }], 1],
  ['a file replaced', [{ ...pix, file }], [{ ...pix, file: { ...file, name: '2.png', size: 2 } }], 1],
  ['hours for a holiday', { hours: null }, { hours: { start: '09:00', end: '12:00' } }, 1],
])('the unsaved changes of the settings are counted: %s', (_name, before, after, count) => {
  expect(countChanges(before, after)).toBe(count)
})
