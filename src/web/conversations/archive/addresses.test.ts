import { expect, test } from 'vitest'
import { addressOf, placeIn } from './addresses.ts'

test('an address leads back to the message and to what was looked for', () => {
  const address = addressOf(7, { messageId: 1_234_567, search: 'segunda via' })
  expect(address).toBe('/conversas-arquivadas/7?busca=segunda+via&mensagem=1234567')
  const params = new URLSearchParams(address.split('?')[1])
  expect(placeIn(params)).toEqual({ page: 1, messageId: 1_234_567, search: 'segunda via' })
  expect(addressOf(7)).toBe('/conversas-arquivadas/7')
})

test.each([
  ['', { page: 1, messageId: undefined, search: '' }],
  ['pagina=3', { page: 3, messageId: undefined, search: '' }],
  // A page that was chosen after a message.
  ['pagina=3&mensagem=5', { page: 3, messageId: undefined, search: '' }],
  ['mensagem=abc&pagina=-1', { page: 1, messageId: undefined, search: '' }],
  ['busca=+oi+', { page: 1, messageId: undefined, search: 'oi' }],
])('%j is read as far as it can be', (query, place) => {
  expect(placeIn(new URLSearchParams(query))).toEqual(place)
})
