import { expect, it } from 'vitest'
import { createJid, otherBrazilianForm, showNumber } from './jids.ts'

it.each([
  ['5511987654321', '551187654321'],
  ['551187654321', '5511987654321'],
  ['551133334444', undefined],
  ['5511933334444', undefined],
  ['14155550100', undefined],
])('the number %s is written the other way as %s', (number, other) =>
  expect(otherBrazilianForm(number)).toBe(other),
)

it.each([
  ['5511987654321', '5511987654321@s.whatsapp.net'],
  ['+55 (31) 98765-4321', '553187654321@s.whatsapp.net'],
  ['5531966665555', '5531966665555@s.whatsapp.net'],
  ['182736455463728@lid', '182736455463728@lid'],
  ['5511987654321:12@s.whatsapp.net', '5511987654321@s.whatsapp.net'],
])('the jid of %s is made as Evolution does', (number, jid) => expect(createJid(number)).toBe(jid))

it('a number is shown as people write it', () => {
  expect(showNumber('5511987342210')).toBe('(11) 98734-2210')
  expect(showNumber('14155550100')).toBe('+14155550100')
})
