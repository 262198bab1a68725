import { expect, test } from 'vitest'
import { brazilianPhone, formatPhone, phoneAsTyped, searchedDigits } from './phone.ts'

test.each([
  ['1140028922', '(11) 4002-8922'],
  ['11 98734-2210', '(11) 98734-2210'],
  ['+55 (11) 98734-2210', '(11) 98734-2210'],
  ['551140028922', '(11) 4002-8922'],
  ['4002-8922', '4002-8922'],
  ['0800 729 0722', '0800 729 0722'],
  ['558007290722', '0800 729 0722'],
  ['041 3333-1503', '(41) 3333-1503'],
  ['+351 912 345 678', '+351 912 345 678'],
  ['1140028922 ramal 4', '1140028922 ramal 4'],
  ['1140028922/23', '1140028922/23'],
])('%s is shown as %s', (typed, shown) => {
  expect(phoneAsTyped(typed)).toBe(shown)
})

test.each([
  ['5511987342210', '(11) 98734-2210'],
  ['551140028922', '(11) 4002-8922'],
  ['558007290722', '0800 729 0722'],
  ['5491155554444', '+5491155554444'],
])('the number %s is shown as %s', (phone, shown) => {
  expect(formatPhone(phone)).toBe(shown)
})

test.each([
  ['(11) 98765-4321', '5511987654321'],
  ['11 95555-4444', '5511955554444'],
  ['+55 85 8888-7777', '5585988887777'],
  ['5587651508', '5555987651508'],
  ['11 3333-4444', '551133334444'],
  ['111.444.777-35', undefined],
  ['3000-1234', undefined],
])('%s in a message is the number %s', (written, phone) => {
  expect(brazilianPhone(written)).toBe(phone)
})

test.each([
  ['(041) 98765', '4198765'],
  ['\u202a+55 41 98765\u2011151\u202c', '554198765151'],
  ['0', '0'],
  ['Ana 2', ''],
])('of the search %j the digits %s are looked for', (search, digits) => {
  expect(searchedDigits(search)).toBe(digits)
})
