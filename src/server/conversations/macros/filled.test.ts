import { expect, test } from 'vitest'
import { valueFor } from '#server/conversations/store/texts.ts'
import { expectKnownFields, filledStep } from './filled.ts'

const known = { contact: 'Ana Souza', company: '', protocol: '2026', operator: 'Bia', sector: '' }
const values = (placeholder: string) => valueFor({ hidesPhones: false }, placeholder, known)

test('a text of a macro has the values of the conversation, and names what is missing once', () => {
  expect(filledStep('{{firstName}}, {{ contact }}: {{protocol}} {x}', values, [])).toEqual({
    text: 'Ana, Ana Souza: 2026 {x}',
    missing: [],
  })
  expect(filledStep('{{company}} {{company}} {{sector}}', values, [])).toEqual({
    text: '{{company}} {{company}} {{sector}}',
    missing: ['{{company}}', '{{sector}}'],
  })
})

test('a text of a step has no field that is not known, and other braces as it likes', () => {
  expect(() => expectKnownFields('{{firstName}} {{ company }} {x} {{}} {{a b}}')).not.toThrow()
  expect(() => expectKnownFields('{{firstName}} {{pedido}} {{ nome }} {{pedido}}')).toThrow(
    'Campo desconhecido: {{pedido}}, {{ nome }}',
  )
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

test('a name with a hidden number is no value of a step, and every other name is one', () => {
  const of = (contact: string, hidesPhones = true) =>
    filledStep(
      '{{contact}}, {{firstName}}, {{company}}, {{protocol}}',
      (each) =>
        valueFor({ hidesPhones }, each, {
          ...known,
          contact,
          company: 'Luz 4002-8922',
          protocol: '2026000123',
        }),
      [],
    )
  expect(of('Maria 11987347777')).toEqual({
    text: '{{contact}}, Maria, {{company}}, 2026000123',
    missing: ['{{contact}}', '{{company}}'],
  })
  expect(of('Maria11987347777').missing).toEqual(['{{contact}}', '{{firstName}}', '{{company}}'])
  expect(of('🌸').text).toBe('🌸, {{firstName}}, {{company}}, 2026000123')
  expect(of('Maria 11987347777', false)).toEqual({
    text: 'Maria 11987347777, Maria, Luz 4002-8922, 2026000123',
    missing: [],
  })
})
