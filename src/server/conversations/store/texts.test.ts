import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultSettings } from '#server/settings/default-texts.ts'
import { fillTemplate, type TemplateValues } from '#shared/text/template.ts'

const values: TemplateValues = {
  position: '3',
  contact: 'Maria',
  operator: 'Ana',
  company: 'Aurora',
  protocol: '20261120000001',
}

test.each<[string, string]>([
  ['Você é o {{position}}º', 'Você é o 3º'],
  ['Você é o {position}º', 'Você é o 3º'],
  [
    '{{contact}}, aqui é {{operator}} ({{company}}), {{protocol}}',
    'Maria, aqui é Ana (Aurora), 20261120000001',
  ],
  ['{{position}}{{position}}{position}', '333'],
  // What is unknown stays as it was typed.
  [
    '{{nome}} {contact} {{ pos ition }} {{Position}} {{}} {}',
    '{{nome}} {contact} {{ pos ition }} {{Position}} {{}} {}',
  ],
  // Blanks inside the braces are allowed, also those that do not break.
  ['{{ position }}{{position\u00a0}}{{  position}}{ position }', '3333'],
  ['{{position', '{{position'],
  ['position}}', 'position}}'],
  ['{{{position}}}', '{3}'],
  ['{{{{position}}}}', '{{3}}'],
  ["{{constructor.constructor('x')()}}", "{{constructor.constructor('x')()}}"],
  ['{{__proto__}} {{toString}} {{constructor}}', '{{__proto__}} {{toString}} {{constructor}}'],
  ['$& $1 $$ $` \\1 %s ${1+1} <%= 1 %> #{1}', '$& $1 $$ $` \\1 %s ${1+1} <%= 1 %> #{1}'],
  ['', ''],
])('the template %j is filled as %j', (template, filled) => {
  expect(fillTemplate(template, values)).toBe(filled)
})

test.each([
  '$&',
  '$1',
  '$$',
  "$'",
  '$`',
  '{{operator}}',
  '{{{{contact}}}}',
  '{position}',
  '\\',
  '<script>',
  '\0',
  '',
])('a value %j is put in as it is, and not looked into again', (contact) => {
  expect(fillTemplate('[{{contact}}|{{operator}}]', { ...values, contact })).toBe(`[${contact}|Ana]`)
})

test('a placeholder without a value becomes nothing', () => {
  expect(fillTemplate('{{position}} {{contact}}', { contact: 'Maria' })).toBe(' Maria')
})

test.each([
  ['Maria de Lourdes', 'Oi, Maria!'],
  ['🌸 Maria', 'Oi, Maria!'],
  ['Padaria', 'Oi, Padaria!'],
  ['+55 11 98734-2210', 'Oi, !'],
  ['', 'Oi, !'],
])('the first name of %j', (contact, filled) => {
  expect(fillTemplate('Oi, {{firstName}}!', { contact })).toBe(filled)
})

test('nothing is found in a value’s prototype', () => {
  const values = Object.create({ contact: 'herdado' }) as TemplateValues
  expect(fillTemplate('{{toString}} {{valueOf}}', values)).toBe('{{toString}} {{valueOf}}')
})

test('text without a brace is itself, and filling in a text without placeholders changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('{'))
      expect(fillTemplate(text, values)).toBe(text)
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.constantFrom('{', '}', 'position', 'contact', ' ', 'x')), (parts) => {
      const filled = fillTemplate(parts.join(''), { position: '1', contact: 'M' })
      expect(filled).not.toMatch(/\{\{(position|contact)\}\}|\{position\}/)
    }),
  )
})

test('a million braces are no work', () => {
  for (const part of ['{', '}', '{{', '{{position', '{{position}', '{position', '{{{position}}}']) {
    const template = part.repeat(1_000_000 / part.length)
    expect(fillTemplate(template, values).length).toBeLessThanOrEqual(template.length)
  }
})

test('the texts that contacts receive from the first start have only known placeholders', () => {
  for (const [name, text] of Object.entries(defaultSettings))
    if (typeof text === 'string') expect(fillTemplate(text, values), name).not.toMatch(/[{}]/)
})
