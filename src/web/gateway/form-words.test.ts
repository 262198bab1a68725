import { expect, test } from 'vitest'
import { addressError } from './form-words.ts'

const invalid = 'URL base deve ser uma URL válida'

test.each<[string, boolean]>([
  ['evolution:8080', true],
  [' evolution.exemplo.com/api ', true],
  ['localhost', true],
  ['', false],
  ['ftp://evolution.exemplo.com', false],
  ['http:evolution', false],
  ['evolution sem endereço', false],
])('of the address %j it is said that the http:// is missing: %j', (typed, isSaid) => {
  expect(addressError(invalid, typed)).toBe(
    isSaid ? `${invalid}. Falta o começo: http:// ou https://` : invalid,
  )
  expect(addressError(undefined, typed)).toBeUndefined()
})
