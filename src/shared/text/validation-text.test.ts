import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { categoryForm } from '#shared/contacts/managed-categories.ts'
import { evolutionConfigForm } from '#shared/gateway/gateway.ts'
import { accountFields } from '#shared/users/accounts.ts'
import { mediaSettingsForm } from '#shared/settings/settings.ts'
import { systemSettings } from '#shared/settings/settings.ts'
import { validationText } from './validation-text.ts'

const said = (schema: z.core.$ZodType, value: unknown) =>
  z.safeParse(schema, value, { error: validationText }).error?.issues.map(({ message }) => message)
const letters = (count: number) => 'a'.repeat(count)
const { shape } = systemSettings

test.each([
  ['a text of the settings', shape.greetingMessage, letters(4097), 'No máximo 4.096 caracteres'],
  [
    'the text of a blocked file',
    mediaSettingsForm,
    { blockedFileMessage: letters(4097) },
    'No máximo 4.096 caracteres',
  ],
  [
    'the text of an exception',
    shape.scheduleExceptions,
    [{ date: '2026-12-25', hours: null, message: letters(4097) }],
    'No máximo 4.096 caracteres',
  ],
  ['a shortcut', shape.quickResponses, [{ shortcut: letters(65), text: '' }], 'No máximo 64 caracteres'],
  [
    'a quick response',
    shape.quickResponses,
    [{ shortcut: 'pix', text: letters(4097) }],
    'No máximo 4.096 caracteres',
  ],
  [
    'too many quick responses',
    shape.quickResponses,
    Array.from({ length: 201 }, () => ({ shortcut: 'pix', text: '' })),
    'No máximo 200 itens',
  ],
  [
    'the name of an instance',
    evolutionConfigForm.shape.instanceName,
    letters(101),
    'No máximo 100 caracteres',
  ],
  ['a key', evolutionConfigForm.shape.apiKey, letters(501), 'No máximo 500 caracteres'],
  [
    'an address',
    evolutionConfigForm.shape.baseUrl,
    `https://exemplo.com/${letters(500)}`,
    'No máximo 500 caracteres',
  ],
  ['a number', shape.maxActivePerOperator, 0, 'No mínimo 1'],
  ['a text that is too short', z.string().check(z.minLength(1)), '', 'No mínimo 1 caractere'],
  [
    'a text with half a character',
    shape.greetingMessage,
    'a\uD83D',
    'O texto tem um caractere que não pode ser guardado',
  ],
  ['an id that is none', z.int().check(z.maximum(2 ** 31 - 1)), 2 ** 40, 'Valor inválido'],
  ['what is absent', z.boolean(), undefined, 'Campo obrigatório'],
  ['what is unknown', z.strictObject({}), { cor: 'azul' }, 'Campo desconhecido: cor'],
  [
    'a password that may be blank',
    z.union([z.literal(''), accountFields.password]),
    '12345',
    'Senha deve ter pelo menos 6 caracteres',
  ],
  ['a colour in words', categoryForm.shape.color, 'azul', 'Use o formato #rrggbb, como #2563eb'],
  ['no colour', categoryForm.shape.color, '', 'Cor é obrigatória'],
  ['anything else', z.boolean(), 'sim', 'Valor inválido'],
])('the text of a validation error: %s', (_name, schema, value, words) => {
  expect(said(schema, value)).toEqual([words])
})

test('the words of a schema stand before these', () => {
  expect(said(evolutionConfigForm.shape.instanceName, ' ')).toEqual(['Nome da instância é obrigatório'])
})
