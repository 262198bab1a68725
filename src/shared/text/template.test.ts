import { expect, test } from 'vitest'
import { placeholdersIn, replacePlaceholders, splitPlaceholders } from './template.ts'

test('a text is split at its placeholders, and is whole again when its parts are joined', () => {
  const parts = ['{{contact}}', ', {x}: ', '{{ pedido }}', '{{a b}} ', '{{company}}']
  expect(splitPlaceholders(parts.join(''))).toEqual([
    '{{contact}}',
    ', {x}: ',
    '{{ pedido }}',
    '{{a b}} ',
    '{{company}}',
  ])
  expect(splitPlaceholders('')).toEqual([])
  expect(splitPlaceholders('nada')).toEqual(['nada'])
})

test('values stand in the places of placeholders, and are not searched for others', () => {
  const valueOf = (each: string) => (each === '{{contact}}' ? '{{company}} $&' : undefined)
  expect(replacePlaceholders('{{contact}} de {{company}}', valueOf)).toBe('{{company}} $& de {{company}}')
  expect(placeholdersIn('{{contact}} {{contact}} {{ pedido }}')).toEqual(['{{contact}}', '{{ pedido }}'])
})
