import { expect, test } from 'vitest'
import { isFound } from './find.ts'

const carla = { name: 'Carla Souza', username: 'carla', email: 'carla@empresa.com.br' }

test.each([
  ['@carla', true],
  ['@car', true],
  ['souza', true],
  ['SOUZA', true],
  ['empresa.com', true],
  ['@souza', false],
  ['supervisor', false],
])('a person is searched by %s: %s', (search, is) => expect(isFound(carla, search)).toBe(is))

test('a person is searched by further words of the screen', () =>
  expect(isFound(carla, 'supervisor', 'Supervisor')).toBe(true))
