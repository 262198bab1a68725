// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { managedSectorsQuery } from './queries.ts'
import { comercial, press, section, server, showIn, startServer, type } from './test-screen.tsx'
import { inheritedOf, managedSector, managedSectors, sectorPerson } from './test-sectors.ts'
import { inApp } from '#web/users/test-app.tsx'

const show = showIn(inApp)
beforeEach(startServer)

const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

test('one call saves only what was changed, with the version that was seen', async () => {
  show([comercial({ people: [sectorPerson(1, { name: 'Ana', open: 6 })] })])
  screen.getByText('Tudo salvo')
  type('Descrição', 'Preços')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Responsável: Ana' }))
  press('Escrever próprio: Transferência')
  fireEvent.change(section('Textos').getByRole('textbox'), { target: { value: 'Já te passo' } })
  screen.getByText('3 mudanças não salvas: descrição, pessoas, texto de transferência')
  press('Salvar')
  const body = {
    version: 4,
    description: 'Preços',
    people: [{ userId: 1, isLead: true }],
    own: { transferMessage: 'Já te passo' },
  }
  await waitFor(() => expect(server.sent).toEqual([['PATCH /api/sectors/1', body]]))
  await waitFor(() => expect(screen.getByText('Tudo salvo')).toBeDefined())
  expect(valueOf('Descrição')).toBe('Preços')
})

test('a text that goes back to what is inherited is server.sent as nothing of its own', async () => {
  show([comercial({ own: { transferMessage: 'Meu texto' } })])
  press('Voltar a herdar: Transferência')
  section('Textos').getByText('Texto transferMessage')
  press('Salvar')
  await waitFor(() =>
    expect(server.sent).toEqual([['PATCH /api/sectors/1', { version: 4, own: { transferMessage: null } }]]),
  )
})

test('a day with hours of its own is saved and discarded with the hours of its sector', async () => {
  show([comercial()])
  fireEvent.click(section('Horário').getByRole('radio', { name: 'Próprio' }))
  const days = section('Horário').getByRole('switch', { name: 'Horário diferente em alguns dias' })
  fireEvent.click(days)
  section('Horário').getByRole('group', { name: 'Horário de Sábado' })
  press('Descartar')
  fireEvent.click(section('Horário').getByRole('radio', { name: 'Próprio' }))
  expect(section('Horário').queryByRole('group', { name: 'Horário de Sábado' })).toBeNull()
  fireEvent.click(section('Horário').getByRole('switch', { name: 'Horário diferente em alguns dias' }))
  screen.getByText('1 mudança não salva: horário')
  press('Salvar')
  const differentDays = [{ day: 6, start: '08:00', end: '12:00', lunch: 'usual' }]
  await waitFor(() =>
    expect(server.sent).toMatchObject([
      ['PATCH /api/sectors/1', { own: { workingHours: { differentDays } } }],
    ]),
  )
})

test('the numbers are chosen where there are several, and at least one of them', async () => {
  const numbers = [1, 2].map((id) => ({ id, name: `loja ${id}`, own: {} }))
  show([comercial()], { inherited: inheritedOf({ numbers }) })
  fireEvent.click(section('Números').getByRole('radio', { name: 'Alguns' }))
  press('Tirar loja 1')
  press('Tirar loja 2')
  press('Salvar')
  await screen.findByText('Escolha pelo menos um número')
  expect(server.sent).toEqual([])
  fireEvent.click(section('Números').getByRole('button', { name: 'Número' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'loja 2' }))
  press('Salvar')
  await waitFor(() => expect(server.sent).toEqual([['PATCH /api/sectors/1', { version: 4, numberIds: [2] }]]))
})

test('with a single number its default is seen and changed, and told whose it is now', async () => {
  show([comercial({ defaultOf: [1] }), managedSector(2, { name: 'Suporte' })])
  const box = () => section('Números').getByRole<HTMLInputElement>('checkbox', { name: /matriz/ })
  expect(box().checked).toBe(true)
  expect(section('Números').queryByRole('radio')).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: /Suporte/ }))
  await screen.findByRole('form', { name: 'Setor Suporte' })
  expect(box().checked).toBe(false)
  section('Números').getByText('hoje Comercial')
  fireEvent.click(box())
  screen.getByText('1 mudança não salva: setor padrão')
  press('Salvar')
  await waitFor(() => expect(server.sent).toEqual([['PATCH /api/sectors/2', { version: 1, defaultOf: [1] }]]))
})

test('switching a sector off says what follows before it is saved, and its row who still waits', () => {
  const waitingSince = new Date(Date.now() - 3 * 60_000).toISOString()
  const off = managedSector(2, { name: 'Antigo', isActive: false, open: 3, waiting: 2, waitingSince })
  show([comercial({ open: 5, waiting: 2, waitingSince }), off])
  expect(screen.queryByText(/^Inativo, /)).toBeNull()
  fireEvent.click(screen.getByRole('switch', { name: 'Ativo' }))
  screen.getByText('Inativo, Comercial não recebe conversas novas. As 5 abertas seguem, 2 na fila.')
  expect(server.sent).toEqual([])
  const row = screen.getByRole('link', { name: /Antigo/ }).textContent
  expect(row).toMatch(/não recebe novas.*2 na fila.*3 abertas.*\d min/)
})

test('a sector has a limit of its own, and not one of nothing', async () => {
  show([comercial({ maxActivePerOperator: 3 })])
  type('Limite próprio por pessoa', '')
  press('Salvar')
  await screen.findByText('De 1 a 1000')
  type('Limite próprio por pessoa', '12')
  press('Salvar')
  await waitFor(() =>
    expect(server.sent).toEqual([['PATCH /api/sectors/1', { version: 4, maxActivePerOperator: 12 }]]),
  )
})

test('a person is found by a part of the name, added and taken out again', () => {
  show([comercial()])
  const field = screen.getByRole('combobox', { name: 'Adicionar pessoa' })
  fireEvent.focus(field)
  fireEvent.change(field, { target: { value: 'pessoa 2' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  within(screen.getByRole('list', { name: 'Pessoas do setor' })).getByText('Pessoa 2')
  screen.getByText('1 mudança não salva: pessoas')
  press('Tirar Pessoa 2 do setor')
  screen.getByText('Tudo salvo')
})

test('what a colleague changed meanwhile is asked about, and what was typed stays', async () => {
  const client = show([comercial()])
  type('Nome', 'Vendas')
  server.refusal = { status: 409, code: 'sectors.changed', message: 'Um colega mudou este setor.' }
  server.stored = managedSectors([comercial({ name: 'Comércio', description: 'Deles', version: 5 })])
  press('Salvar')
  await screen.findByText(/Um colega mudou este setor\. O que você mudou continua aqui/)
  await screen.findByText(/Outra pessoa mudou o que você está editando/)
  expect(valueOf('Nome')).toBe('Vendas')
  expect(valueOf('Descrição')).toBe('Deles')
  server.refusal = undefined
  press('Manter o meu')
  press('Salvar')
  await waitFor(() =>
    expect(server.sent.at(-1)).toEqual(['PATCH /api/sectors/1', { version: 5, name: 'Vendas' }]),
  )
  expect(client.isMutating()).toBeLessThan(2)
})

test('a failed save keeps everything that was typed, and is tried again', async () => {
  show([comercial()])
  type('Nome', 'Vendas')
  server.refusal = { status: 503 }
  press('Salvar')
  await screen.findByText(/Não foi possível salvar\. O que você mudou continua aqui\./)
  expect(valueOf('Nome')).toBe('Vendas')
  server.refusal = undefined
  press('Tentar novamente')
  await waitFor(() => expect(server.sent).toHaveLength(2))
  await waitFor(() => expect(screen.getByText('Tudo salvo')).toBeDefined())
})

test('a name that another sector has is told at its field', async () => {
  show([comercial()])
  type('Nome', 'financeiro')
  server.refusal = { status: 409, code: 'sectors.duplicate', message: 'Já existe o setor ‘Financeiro’' }
  press('Salvar')
  await screen.findByText('Já existe o setor ‘Financeiro’')
  expect(screen.getByLabelText('Nome').getAttribute('aria-invalid')).toBe('true')
})

test('a pushed change never overwrites what is typed, and shows the rest', async () => {
  const client = show([comercial()])
  type('Nome', 'Vendas')
  const others = [comercial({ description: 'Deles', version: 5, waiting: 3 }), managedSector(2)]
  act(() => void client.setQueryData(managedSectorsQuery().queryKey, managedSectors(others)))
  await waitFor(() => expect(valueOf('Descrição')).toBe('Deles'))
  expect(valueOf('Nome')).toBe('Vendas')
  const rest = managedSectors([managedSector(2)])
  act(() => void client.setQueryData(managedSectorsQuery().queryKey, rest))
  await screen.findByText(/Este setor foi excluído/)
  expect(valueOf('Nome')).toBe('Vendas')
  expect(screen.getByRole('button', { name: 'Salvar' }).hasAttribute('disabled')).toBe(true)
})

test('a lead changes people, hours and texts, and sees the rest in grey', () => {
  show([comercial({ isWhole: false })], {}, false)
  for (const name of ['Nome', 'Descrição'])
    expect(screen.getByLabelText(name)).toHaveProperty('disabled', true)
  expect(screen.getByRole('switch', { name: 'Ativo' })).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Excluir setor' })).toHaveProperty('disabled', true)
  expect(screen.queryByRole('button', { name: 'Novo setor' })).toBeNull()
  expect(screen.getAllByText('Somente administradores').length).toBeGreaterThan(0)
  expect(screen.getByRole('combobox', { name: 'Adicionar pessoa' })).toHaveProperty('disabled', false)
  fireEvent.click(section('Horário').getByRole('radio', { name: 'Próprio' }))
  screen.getByText('1 mudança não salva: horário')
})

test('the order of the sectors is changed by keyboard, and said', async () => {
  show([comercial(), managedSector(2, { name: 'Financeiro' }), managedSector(3)])
  const row = within(screen.getByRole('list', { name: 'Setores' })).getByRole('link', { name: /Comercial/ })
  fireEvent.keyDown(row, { key: 'ArrowDown', altKey: true })
  await waitFor(() => expect(server.sent).toEqual([['PUT /api/sectors/order', { ids: [2, 1, 3] }]]))
  screen.getByText('Comercial: 2º de 3')
})

test('the search finds sectors by a part of the name, and says when there is none', () => {
  show([comercial(), managedSector(2, { name: 'Pós-venda' })])
  const field = screen.getByPlaceholderText('Buscar setor...')
  fireEvent.change(field, { target: { value: 'POS' } })
  expect(within(screen.getByRole('list', { name: 'Setores' })).getAllByRole('link')).toHaveLength(1)
  fireEvent.change(field, { target: { value: 'xyz' } })
  screen.getByText('Nenhum setor encontrado para a busca')
})

test('a deleted sector says what it has and moves it to the chosen one', async () => {
  const full = comercial({ open: 2, contacts: 31, defaultOf: [1] })
  show([full, managedSector(2, { name: 'Financeiro' }), managedSector(3, { isActive: false })])
  press('Excluir setor')
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText(
    'Tem 2 conversas abertas, 31 contatos com setor fixo e é o padrão de matriz. O histórico guarda o nome.',
  )
  server.stored = managedSectors([managedSector(2, { name: 'Financeiro' })])
  fireEvent.click(dialog.getByRole('button', { name: 'Excluir e mover' }))
  await waitFor(() => expect(server.sent).toEqual([['DELETE /api/sectors/1?targetId=2', undefined]]))
  await screen.findByRole('form', { name: 'Setor Financeiro' })
})

test('a sector that has nothing is deleted without a target, and a refusal is told', async () => {
  show([comercial()])
  press('Excluir setor')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.queryByText('Vão para')).toBeNull()
  server.refusal = {
    status: 409,
    code: 'sectors.needs_target',
    message: 'Escolha para onde vão as conversas.',
  }
  fireEvent.click(dialog.getByRole('button', { name: 'Excluir' }))
  await dialog.findByText('Escolha para onde vão as conversas.')
  expect(server.sent).toEqual([['DELETE /api/sectors/1', undefined]])
})

test('whoever neither manages nor leads a sector is denied', () => {
  show([], {}, false)
  screen.getByText('Acesso Negado')
})
