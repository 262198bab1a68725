import { expect, test } from 'vitest'
import { lidPattern, phonePattern } from './spellings.ts'

const finds = (phone: string, text: string) => new RegExp(phonePattern(phone)).test(text)

test.each([
  '5511987654321',
  '551187654321',
  '11987654321',
  '1187654321',
  '011 98765-4321',
  '+55 (11) 98765-4321',
  '(11) 98765-4321',
  '(11) 8765-4321',
  '+55-11-98765-4321',
  '0055 11 98765 4321',
  '551187654321@s.whatsapp.net',
  '5511987654321:12@s.whatsapp.net',
  '{"remoteJid": "5511987654321@s.whatsapp.net"}',
  'ligue 11.98765.4321, por favor',
])('a Brazilian mobile is found as %s', (text) => {
  expect(finds('5511987654321', text)).toBe(true)
})

test.each([
  '5511987654322',
  '15511987654321',
  '55119876543210',
  '5521987654321',
  '98765-4321',
  '1795204591003',
])('the number is not found in %s', (text) => {
  expect(finds('5511987654321', text)).toBe(false)
})

test('a landline has no ninth digit', () => {
  expect(finds('551140028922', '(11) 4002-8922')).toBe(true)
  expect(finds('551140028922', '(11) 94002-8922')).toBe(false)
})

test('a number of another country is found with any punctuation', () => {
  expect(finds('351912345678', '+351 912 345 678')).toBe(true)
  expect(finds('351912345678', '351912345679')).toBe(false)
})

test.each([
  [
    '5491155554444',
    ['+54 11 5555-4444', '541155554444@s.whatsapp.net', '+54 9 11 5555 4444', '5491155554444'],
  ],
  [
    '525512345678',
    ['+52 55 1234 5678', '5215512345678@s.whatsapp.net', '+52 1 55 1234 5678', '525512345678'],
  ],
])('a mobile with two forms, %s, is found in both', (phone, texts) => {
  for (const text of texts) expect(finds(phone, text), text).toBe(true)
  expect(finds(phone, `${phone}1`)).toBe(false)
})

test('a LID is found by its digits alone', () => {
  expect(new RegExp(lidPattern('98765432101234')).test('98765432101234@lid')).toBe(true)
  expect(new RegExp(lidPattern('98765432101234')).test('198765432101234@lid')).toBe(false)
})
