import { expect, test } from 'vitest'
import { hueOf, initials } from './initials.ts'

test.each([
  ['Maria Aparecida de Albuquerque Cavalcanti', 'MC'],
  ['Kauã Nhambiquara', 'KN'],
  ['ana', 'A'],
  ['Padaria Pão & Cia — Jd. São Luís', 'PL'],
  ['Íris Nakagawa', 'ÍN'],
  ['خالد للأقمشة', 'خل'],
  ['🌻 Dona Zefinha', 'DZ'],
  ['4x4 Peças', '4P'],
  // A person's icon takes the place.
  ['  ', ''],
  ['Número oculto', ''],
  ['Contato Desconhecido', ''],
  ['🔥', ''],
  ['(11) 98765-0003', ''],
])('the initials of %s are %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

test('a name keeps its hue', () => {
  expect(hueOf('Marina Queiroz')).toBe(hueOf('Marina Queiroz'))
})
