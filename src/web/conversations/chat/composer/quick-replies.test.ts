import { describe, expect, test } from 'vitest'
import type { Macro } from '#shared/macros/macros.ts'
import { findMacros } from '#web/macros/find-macros.ts'
import {
  askedFor,
  generalReplies,
  matchingReplies,
  offeredReplies,
  previewOf,
  type QuickReply,
  resolveReply,
  suggestionsOf,
} from './quick-replies.ts'

const settings = {
  greetingMessage: 'Olá! Como posso ajudá-lo hoje?',
  verificationMessage: 'Vou verificar essa informação.',
  farewellMessage: '  ',
  lgpdMessage: 'Seus dados são usados somente para este atendimento.',
  quickResponses: [
    { shortcut: 'segunda-via', text: 'Segue a segunda via, {{contact}}.' },
    { shortcut: 'saida', text: 'O pedido saiu para entrega.' },
  ],
}
const replies = generalReplies(settings)
const shortcuts = (asked: string) => matchingReplies(replies, asked).map(({ shortcut }) => shortcut)

describe('quick replies', () => {
  test('the quick replies are those of the settings and of the company, without blank ones', () => {
    expect(replies.map(({ shortcut, label }) => [shortcut, label])).toEqual([
      ['saudacao', 'Saudação'],
      ['verificar', 'Verificar'],
      ['lgpd', 'LGPD'],
      ['segunda-via', undefined],
      ['saida', undefined],
    ])
    expect(generalReplies({})).toEqual([])
  })

  test.each<[string, string[]]>([
    ['', ['saudacao', 'verificar', 'lgpd', 'segunda-via', 'saida']],
    ['s', ['saudacao', 'segunda-via', 'saida', 'verificar', 'lgpd']],
    ['SAÚ', ['saudacao']],
    ['informacao', ['verificar']],
    ['via', ['segunda-via']],
    ['nada disso', []],
  ])('the quick replies found for %j are %j', (asked, found) => {
    expect(shortcuts(asked)).toEqual(found)
  })

  test('the most used replies come first, and a shortcut that is typed out before all others', () => {
    const used = generalReplies(settings, [
      { shortcut: 'saida', uses: 9, lastUsedAt: null },
      { shortcut: 'lgpd', uses: 2, lastUsedAt: null },
    ])
    const found = (asked: string) => matchingReplies(used, asked).map(({ shortcut }) => shortcut)
    expect(found('')).toEqual(['saida', 'lgpd', 'saudacao', 'verificar', 'segunda-via'])
    expect(found('sa').slice(0, 2)).toEqual(['saida', 'saudacao'])
    const longer = used.map((one) =>
      one.shortcut === 'lgpd' ? { ...one, shortcut: 'saida2', uses: 99 } : one,
    )
    expect(matchingReplies(longer, 'SAÍDA').map(({ shortcut }) => shortcut)).toEqual(['saida', 'saida2'])
  })

  test('a chat offers the own replies, those of its sector and the general ones, the nearest of each', () => {
    const of = (id: number, shortcut: string, sectorId: number | null) => ({
      id,
      shortcut,
      sectorId,
      text: `${id}`,
      uses: 0,
      lastUsedAt: null,
      isChangeable: true,
      version: 1,
    })
    const known = [
      of(1, 'saida', null),
      of(2, 'SAÍDA', 5),
      of(3, 'lgpd', 5),
      of(4, 'lgpd', 6),
      of(5, 'boleto', 6),
    ]
    const offered = (...sectorIds: number[]) =>
      offeredReplies(replies, known, sectorIds).map(({ key }) => key)
    const others = ['/saudacao', '/verificar', '/segunda-via']
    expect(offered(5)).toEqual(['1', '3', ...others])
    expect(offered(7)).toEqual(['1', '/saudacao', '/verificar', '/lgpd', '/segunda-via'])
    expect(offered(5, 6)).toEqual(['1', '3', '4', '5', ...others])
  })

  test.each<[string, string | undefined]>([
    ['/', ''],
    ['/sau', 'sau'],
    ['/segunda-via', 'segunda-via'],
    ['oi /sau', undefined],
    ['/sau dacao', undefined],
    ['/sau\n', undefined],
    ['', undefined],
  ])('the text %j in the composer asks for the quick reply %j', (text, asked) => {
    expect(askedFor(text)).toBe(asked)
  })
})

describe('a reply for this chat', () => {
  const values = { contact: 'Maria', operator: 'Ana', company: '', protocol: '20261122000001' }

  test('the preview of a quick reply has the values of the client, and marks those that are missing', () => {
    const shown = (text: string) =>
      previewOf(text, values).map((part) => (part.isMissing ? `[${part.text}]` : part.text))
    expect(shown('Oi {{ firstName }}, da {{company}}? É o {{protocol}}')).toEqual([
      'Oi ',
      'Maria',
      ', da ',
      '[{{company}}]',
      '? É o ',
      '20261122000001',
    ])
    expect(shown('Oi {{nome}}')).toEqual(['Oi ', '[{{nome}}]'])
    expect(shown('Bom dia')).toEqual(['Bom dia'])
  })

  test('a quick reply has its placeholders filled', () => {
    expect(resolveReply('Oi {{contact}}, {{operator}} aqui: {{protocol}}', values)).toEqual({
      text: 'Oi Maria, Ana aqui: 20261122000001',
      missing: [],
    })
  })

  test('a quick reply has the first name filled, if there is one', () => {
    const contact = 'Maria de Lourdes'
    expect(resolveReply('Oi {{firstName}}', { contact }).text).toBe('Oi Maria')
    const number = { contact: '+55 11 98734-2210' }
    expect(resolveReply('Oi {{firstName}}', number).missing).toEqual(['{{firstName}}'])
  })

  test.each<[string, string, string[], string]>([
    ['Para {{company}}', 'Para {{company}}', ['{{company}}'], '{{company}}'],
    [
      'Oi {{contact}}, {{ cliente }} e {{company}}, {{ cliente }}',
      'Oi Maria, {{ cliente }} e {{company}}, {{ cliente }}',
      ['{{ cliente }}', '{{company}}'],
      '{{ cliente }}',
    ],
  ])(
    'in the reply %j the fields without a value stand, and the first is marked',
    (template, text, ...rest) => {
      const [missing, marked] = rest
      const { gap, ...resolved } = resolveReply(template, values)
      expect(resolved).toEqual({ text, missing })
      expect(gap && text.slice(...gap)).toBe(marked)
    },
  )

  test('a quick reply takes a name with braces for a name', () => {
    const { text, missing } = resolveReply('Oi {{contact}}', { contact: '{{company}}' })
    expect([text, missing]).toEqual(['Oi {{company}}', []])
  })
})

test('blanks inside the braces of a reply are allowed', () => {
  expect(resolveReply('Oi, {{ contact }}! {{ nome }}', { contact: 'Maria' })).toMatchObject({
    text: 'Oi, Maria! {{ nome }}',
    missing: ['{{ nome }}'],
  })
  expect(resolveReply('Oi, {{ contact }}!', { contact: 'Maria' }).text).toBe('Oi, Maria!')
})

describe('replies and macros behind a slash', () => {
  const reply = (shortcut: string, text: string) => ({ key: shortcut, uses: 0, shortcut, text })
  const macro = (id: number, shortcut: string) => ({ id, name: 'Encerrar', shortcut, stepCount: 1 })
  const order = (macros: Macro[], ...given: QuickReply[]) =>
    suggestionsOf(given, macros, 'Fim').map(({ reply: one, macro: other }) => one?.text ?? other?.shortcut)

  test('a macro with just that shortcut comes before a reply that merely contains it', () => {
    expect(order([macro(1, 'fim')], reply('tchau', 'Por fim'))).toEqual(['fim', 'Por fim'])
    expect(order([macro(1, 'fim')], reply('x', 'Por fim'), reply('fim', 'Tchau'))).toEqual([
      'Tchau',
      'fim',
      'Por fim',
    ])
    expect(order([macro(1, 'fim-do-dia')], reply('tchau', 'Por fim'))).toEqual(['Por fim', 'fim-do-dia'])
  })

  test('the macro with just that shortcut comes before those that begin with it', () => {
    const found = findMacros([macro(1, 'fim-do-dia'), macro(2, 'fim')], 'fim')
    expect(found.map(({ id }) => id)).toEqual([2, 1])
  })
})
