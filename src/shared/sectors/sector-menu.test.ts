import { expect, test } from 'vitest'
import { type ChoiceMessage, type MenuOffered, replayChoice } from '#shared/choice.ts'
import { menuChoice, menuLine, menuText, type MenuOption, withMenu } from './sector-menu.ts'

const option = (
  sectorId: number,
  name: string,
  description = '',
  opensAt: string | null = null,
): MenuOption => ({
  sectorId,
  name,
  description,
  opensAt,
})
const options = [
  option(31, 'Financeiro'),
  option(32, 'Comercial', 'preços, pedidos e prazos'),
  option(33, 'Pós-venda', '', '08:00'),
]
const menu: MenuOffered = { options, known: options, hasCancel: true }

test('a menu has a line for each sector, and where it is wanted one to cancel', () => {
  expect(menuText(menu)).toBe(
    '1 - Financeiro\n2 - Comercial: preços, pedidos e prazos\n3 - Pós-venda (abre às 08:00)\n0 - Cancelar',
  )
  expect(
    withMenu('Olá! {{opcoes}} Escolha.', { ...menu, options: options.slice(0, 1), hasCancel: false }),
  ).toBe('Olá! 1 - Financeiro Escolha.')
  expect(withMenu('Olá!', { options: options.slice(0, 1), hasCancel: false })).toBe('Olá!\n\n1 - Financeiro')
})

test.each([
  ['Preços, pedidos e prazos', '1 - Comercial: preços, pedidos e prazos'],
  ['Émissão de notas', '1 - Comercial: émissão de notas'],
  ['NF-e e boletos', '1 - Comercial: NF-e e boletos'],
  ['2ª via', '1 - Comercial: 2ª via'],
  ['', '1 - Comercial'],
])('the description %j ends the line of an option as in a sentence', (description, line) => {
  expect(menuLine(1, { name: 'Comercial', description, opensAt: null })).toBe(line)
})

test.each([
  ['1', 31],
  [' 2 ', 32],
  ['2️⃣', 32],
  ['opção 3', 33],
  ['três por favor', 33],
  ['Financeiro', 31],
  ['FINANCEIRO, por favor', 31],
  ['quero falar com o comercial', 32],
  ['setor comercial', 32],
  ['pos venda', 33],
  ['2 - Comercial', 32],
  ['2 - Comercial: preços, pedidos e prazos', 32],
  ['3 - Pós-venda (abre às 08:00)', 33],
  ['Comercial: preços, pedidos e prazos', 32],
  ['0', 'cancel'],
  ['cancelar', 'cancel'],
  ['0 - Cancelar', 'cancel'],
  ['(0)', 'cancel'],
  ['0️⃣', 'cancel'],
  ['opção 0', 'cancel'],
  ['zero', 'cancel'],
  ['quero cancelar', undefined],
  ['preciso cancelar um pedido', undefined],
  ['0 por favor', undefined],
  ['cancelar, obrigado', undefined],
  ['o zero', undefined],
  ['4', undefined],
  ['2 caixas', undefined],
  ['2 - 3 dias', undefined],
  ['2:30', undefined],
  ['-1', undefined],
  ['1,5', undefined],
  ['financeiro ou comercial?', undefined],
  ['não quero o financeiro', undefined],
  ['0 🙏', undefined],
  ['meu boleto venceu', undefined],
  ['', undefined],
])('the answer %j to a menu chooses: %j', (text, chosen) => {
  const found = menuChoice(text, menu)
  expect(typeof found === 'object' ? found.sectorId : found).toBe(chosen)
})

test.each([
  ['2', ['2', 'Suporte'], 2],
  ['opção 1', ['Suporte', '1'], 1],
  ['0', ['0', 'Suporte'], 'cancel'],
  ['7', ['Suporte', '7'], 2],
  ['👍', ['❤', 'Suporte'], undefined],
  ['', ['❤', 'Suporte'], undefined],
  ['por favor', ['—', 'Suporte'], undefined],
  ['1', ['❤', 'Suporte'], 1],
] as const)('the answer %j to a menu of sectors that are called %j chooses: %j', (text, names, chosen) => {
  const named = names.map((name, n) => option(n + 1, name))
  const found = menuChoice(text, { options: named, hasCancel: true })
  expect(typeof found === 'object' ? found.sectorId : found).toBe(chosen)
})

const said = (...texts: string[]): ChoiceMessage[] =>
  texts.map((content, n) => ({ id: n + 10, content, writtenAt: new Date(n * 60_000), isRecovered: false }))

test('whoever chooses a sector comes into its queue with all that they wrote', () => {
  const [attempt] = replayChoice(said('oi', 'quanto custa?', '2', 'tem azul?'), 'pergunta', {}, 3, menu)
  expect(attempt).toMatchObject({ stage: 'attend', sectorId: 32, decidedAt: new Date(120_000) })
  expect(attempt?.messages).toHaveLength(4)
})

test('an answer is read by the menu that was sent, whatever the order of the sectors is by now', () => {
  const turned = { ...menu, options: options.toReversed() }
  const questions = [
    { id: 5, writtenAt: new Date(1000), sentAt: new Date(2000), hasFailed: false, menu: [31, 32, 33] },
  ]
  const [attempt] = replayChoice(said('oi', '1'), 'pergunta', { questions }, 3, turned)
  expect(attempt?.sectorId).toBe(31)
})

test.each([
  ['offered it, and the switch is off by now', [31, 32, 33, 0], false, 'cancelled'],
  ['did not offer it, and the switch is on by now', [31, 32, 33], true, 'waiting_option'],
])("'0' cancels by the menu that was sent: it %s", (_what, sent, hasCancel, stage) => {
  const questions = [
    { id: 5, writtenAt: new Date(1000), sentAt: new Date(2000), hasFailed: false, menu: sent },
  ]
  const [attempt] = replayChoice(said('oi', '0'), 'pergunta', { questions }, 3, { ...menu, hasCancel })
  expect(attempt?.stage).toBe(stage)
})

test('a question that was sent before there was a menu is answered by its own two options', () => {
  const questions = [{ id: 5, writtenAt: new Date(1000), sentAt: new Date(2000), hasFailed: false }]
  const [attempt] = replayChoice(said('oi', '1'), 'Digite 1 ou 2', { questions }, 3, menu)
  expect([attempt?.stage, attempt?.sectorId]).toEqual(['attend', undefined])
})
