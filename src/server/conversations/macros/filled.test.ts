import { expect, test } from 'vitest'
import { filledStep } from './filled.ts'

const values = { contact: 'Ana Souza', company: '', protocol: '2026', operator: 'Bia', sector: '' }

test('a text of a macro has the values of the conversation, and names what is missing once', () => {
  expect(filledStep('{{firstName}}, {{ contact }}: {{protocol}} {{other}} {x}', values, [])).toEqual({
    text: 'Ana, Ana Souza: 2026 {{other}} {x}',
    missing: [],
  })
  expect(filledStep('{{company}} {{company}} {{sector}}', values, [])).toEqual({
    text: '{{company}} {{company}} {{sector}}',
    missing: ['{{company}}', '{{sector}}'],
  })
})

test('what a person writes stands where nothing was known, and is not searched for placeholders', () => {
  const written = [
    { field: 'company', value: '{{operator}} $& Cia' },
    { field: 'operator', value: 'outra' },
  ] as const
  expect(filledStep('{{company}} de {{operator}}', values, [...written])).toEqual({
    text: '{{operator}} $& Cia de Bia',
    missing: [],
  })
})
