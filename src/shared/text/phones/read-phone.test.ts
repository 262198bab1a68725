import { isValidPhoneNumber } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { areaCodeOf, knownPhone, phoneOfAddress, readCompanyPhone, readPhone } from './read-phone.ts'
import { spellings } from './test-spellings.ts'

test('two thousand spellings of twelve countries get the form that is written beside them', () => {
  const ofBrazil = spellings.filter(({ country }) => country === 'BR')
  expect([ofBrazil.length >= 1200, spellings.length >= 2000]).toEqual([true, true])
  expect(new Set(spellings.map(({ country }) => country)).size).toBe(12)
  const wrong = spellings.flatMap(({ written, areaCode, phone }) => {
    const read = readPhone(written, areaCode)
    return 'phone' in read && read.phone === phone ? [] : [{ written, phone, read }]
  })
  expect(wrong).toEqual([])
})

test('every form that a spelling gets is a number that exists by the rules of its country', () => {
  const phones = [...new Set(spellings.map(({ phone }) => phone))]
  expect(phones.filter((phone) => !isValidPhoneNumber(`+${phone}`))).toEqual([])
  expect(phones.filter((phone) => knownPhone(phone) !== phone)).toEqual([])
})

test.each([
  ['', 'Telefone deve ter pelo menos 10 dígitos'],
  ['119999', 'Telefone deve ter pelo menos 10 dígitos'],
  ['onze noves', 'Telefone inválido'],
  ['1140028922 ramal 4', 'Telefone inválido'],
  ['1140028922/23', 'Telefone inválido'],
  ['11 98765-4321 ou 11 98765-4322', 'Telefone inválido'],
  ['https://exemplo.com/5541987651512', 'Telefone inválido'],
  ['https://wa.me/message/ABC', 'Telefone inválido'],
  ['98765-1508', 'Falta o DDD'],
  ['8765-1508', 'Falta o DDD'],
  ['3333 1508', 'Falta o DDD'],
  ['+55 98765-1508', 'Falta o DDD'],
  ['(20) 98765-1508', 'O DDD 20 não existe'],
  ['00 55 23 98765-1508', 'O DDD 23 não existe'],
  ['419.876.543-01', 'Isto é um CPF, não um telefone'],
  ['41987654321 9', 'Telefone com dígitos a mais'],
  ['+55 41 98765-43210', 'Telefone com dígitos a mais'],
  ['4,19877E+10', 'A planilha abreviou este número: falta o fim dele'],
  // A date, a postal code, and numbers that nobody can have.
  ['20/05/2024', 'Telefone inválido'],
  ['20.05.2024', 'Este telefone não existe: confira os dígitos'],
  ['2024-05-20', 'Este telefone não existe: confira os dígitos'],
  ['80010-000', 'Este telefone não existe: confira os dígitos'],
  ['11 1234-5678', 'Este telefone não existe: confira os dígitos'],
  ['11 38765-4321', 'Este telefone não existe: confira os dígitos'],
  ['+351 123', 'Telefone deve ter pelo menos 10 dígitos'],
  ['+1 555 555 5555', 'Este telefone não existe: confira os dígitos'],
  ['x'.repeat(300), 'Telefone inválido'],
])('a telephone written as %j is refused: %s', (written, problem) => {
  expect(readPhone(written)).toEqual({ problem })
})

test('a number of nine digits is never taken for one of another country', () => {
  for (let n = 0; n < 200; n++) {
    const digits = `9${String(80_000_000 + n * 97_531)}`
    expect(readPhone(digits)).toEqual({ problem: 'Falta o DDD' })
    expect(readPhone(digits, '41')).toEqual({ phone: `5541${digits}` })
  }
})

test('a company may have a number of the whole country, or one that is free of charge', () => {
  expect(readCompanyPhone('4004-1234')).toEqual({ phone: '4004-1234' })
  expect(readCompanyPhone('0800 729 0722')).toEqual({ phone: '558007290722' })
  expect(readCompanyPhone('(11) 4002-8922')).toEqual({ phone: '551140028922' })
  expect(readCompanyPhone('abc')).toEqual({ problem: 'Telefone inválido' })
})

test.each([
  // WhatsApp leaves the ninth digit out of many numbers.
  ['552188887777', '5521988887777'],
  ['551133334444', '551133334444'],
  ['5491155554444', '5491155554444'],
  ['541155554444', '5491155554444'],
  ['5215512345678', '525512345678'],
  ['525512345678', '525512345678'],
  ['14155552671', '14155552671'],
  // Nobody is lost since the rules do not know their number.
  ['5520988887777', '5520988887777'],
  ['99912345678', '99912345678'],
  ['1234567', undefined],
  ['1234567890123456', undefined],
])('the address with the digits %s is of the number %s', (digits, phone) => {
  expect(phoneOfAddress(digits)).toBe(phone)
})

test('the area code is known of numbers of Brazil', () => {
  expect([areaCodeOf('5541987651501'), areaCodeOf('554133331503')]).toEqual(['41', '41'])
  expect([areaCodeOf('5520987651501'), areaCodeOf('351912345678')]).toEqual([undefined, undefined])
})
