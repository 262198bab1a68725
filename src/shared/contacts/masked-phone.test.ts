import { expect, test } from 'vitest'
import { maskAddressesIn, maskPhone, maskPhonesIn } from './masked-phone.ts'

test.each([
  ['5511987347777', '(11) •••• -7777'],
  ['(11) 98734-7777', '(11) •••• -7777'],
  ['551133447777', '(11) •••• -7777'],
  ['011 98734 7777', '(11) •••• -7777'],
  ['558001237777', '0800 ••• 7777'],
  ['0300 123 7777', '0300 ••• 7777'],
  ['351912347777', '+•••• -7777'],
  ['4004-7777', '+•••• -7777'],
  ['１１９８７３４７７７７', '(11) •••• -7777'],
  ['(11) •••• -7777', '(11) •••• -7777'],
])('of the number %s only the area and the end are shown', (phone, shown) => {
  expect(maskPhone(phone)).toBe(shown)
})

test.each([
  ['Maria 11 98734-7777 (mãe)', 'Maria (11) •••• -7777 (mãe)'],
  ['+55 11 98734-7777', '(11) •••• -7777'],
  ['5511987347777:12@s.whatsapp.net', '(11) •••• -7777'],
  ['de (11) 98734-7777 para (21) 3344-5566', 'de (11) •••• -7777 para (21) •••• -5566'],
  ['9\u200b8\u200b7\u200b3\u200b4\u200b7\u200b7\u200b7\u200b7', '+•••• -7777'],
])('in the text %j every number is masked', (text, shown) => {
  expect(maskPhonesIn(text)).toBe(shown)
  expect(maskPhonesIn(shown)).toBe(shown)
})

test.each(['Loja 24 horas', '2026-11-29', 'Rua 7, 1234', 'Turma 2024/2025', ''])(
  'the text %j, which has no number in it, stays as it is',
  (text) => expect(maskPhonesIn(text)).toBe(text),
)

test('of an address in an id only the end of its number stays', () => {
  expect(maskAddressesIn('true_5511987347777@s.whatsapp.net_3EB012345678')).toBe(
    'true_••••7777@s.whatsapp.net_3EB012345678',
  )
  expect(maskAddressesIn('3EB0123456789')).toBe('3EB0123456789')
})
