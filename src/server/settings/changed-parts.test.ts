import { expect, test } from 'vitest'
import { changedParts } from './changed-parts.ts'

const pix = { shortcut: 'pix', text: 'Chave' }
const oi = { shortcut: 'oi', text: 'Oi' }

test.each([
  ['a text whole', 'Oi', 'Olá', ['Oi', 'Olá']],
  [
    'the fields of an object',
    { start: '09:00', end: '18:00' },
    { start: '08:00', end: '18:00' },
    [{ start: '09:00' }, { start: '08:00' }],
  ],
  ['the entries of a list', [pix, oi], [oi, { ...pix, text: 'Outra' }], [[pix], [{ ...pix, text: 'Outra' }]]],
  ['a new entry', [oi], [oi, pix], [[], [pix]]],
  [
    'the whole list in another order',
    [oi, pix],
    [pix, oi],
    [
      [oi, pix],
      [pix, oi],
    ],
  ],
])('the changed parts of the settings are %s', (_what, before, after, changed) => {
  expect(changedParts(before, after)).toEqual(changed)
})
