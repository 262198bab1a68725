// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ManagedReason } from '#shared/reasons/managed-reasons.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import { ReasonsTab } from './reasons-tab.tsx'

const row = (id: number, name: string, given: Partial<ManagedReason> = {}): ManagedReason => ({
  id,
  name,
  parentId: null,
  sectorId: null,
  isActive: true,
  isSwitchedOn: true,
  uses: 0,
  version: 3,
  ...given,
})

let rows: ManagedReason[] | undefined
let sent: [string, unknown][]
let refusal: { code: string; message: string; status: number } | undefined
beforeEach(() => {
  rows = [row(1, 'Financeiro'), row(2, 'Segunda via', { parentId: 1, uses: 1204 }), row(3, 'Engano')]
  sent = []
  refusal = undefined
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method !== 'GET') {
      sent.push([`${method} ${path}`, typeof body === 'string' ? JSON.parse(body) : undefined])
      if (refusal) return Response.json(refusal, { status: refusal.status })
      return method === 'POST'
        ? Response.json({ id: 9 }, { status: 201 })
        : new Response(null, { status: 204 })
    }
    if (path !== '/api/reasons/managed') return Response.json([])
    return rows ? Response.json(rows) : Response.json({ message: 'sem conexão' }, { status: 500 })
  })
  return cleanup
})

const show = () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const me = { role: 'supervisor' as const, permissions: { canManageCategories: true } }
  render(<ReasonsTab />, { wrapper: inApp(client, me) })
}
const actsOf = async (name: string, act: string) => {
  fireEvent.keyDown(await screen.findByRole('button', { name: `Ações: ${name}` }), { key: 'ArrowDown' })
  fireEvent.click(await screen.findByRole('menuitem', { name: act }))
}
const typeName = (text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: /^Nome/ }), { target: { value: text } })
const save = () => fireEvent.submit(screen.getByRole('textbox', { name: /^Nome/ }))

test('without any reason the page says what the first one brings, and makes it', async () => {
  rows = []
  show()
  await screen.findByText('Nenhum motivo criado ainda')
  fireEvent.click(screen.getByRole('button', { name: 'Novo motivo' }))
  save()
  expect((await screen.findByRole('alert')).textContent).toBe('Nome é obrigatório')
  typeName('Financeiro')
  save()
  await waitFor(() => expect(sent).toEqual([['POST /api/reasons', { name: 'Financeiro', sectorId: null }]]))
})

test('the page says so when the reasons cannot be loaded', async () => {
  rows = undefined
  show()
  await screen.findByRole('button', { name: /^Tentar/ })
})

test('both levels are listed with their use, and what was used is not deleted', async () => {
  show()
  const inner = within(await screen.findByRole('list', { name: 'Motivos de Financeiro' }))
  inner.getByText('1.204 conversas')
  fireEvent.keyDown(inner.getByRole('button', { name: 'Ações: Segunda via' }), { key: 'ArrowDown' })
  await screen.findByRole('menuitem', { name: 'Desativar' })
  for (const name of ['Excluir', 'Novo motivo dentro', 'Mover para cima'])
    expect(screen.queryByRole('menuitem', { name })).toBeNull()
})

test('a reason is made within another, switched off, and deleted after a question', async () => {
  show()
  await actsOf('Financeiro', 'Novo motivo dentro')
  typeName('Boleto')
  save()
  await waitFor(() => expect(sent).toEqual([['POST /api/reasons', { name: 'Boleto', parentId: 1 }]]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await actsOf('Segunda via', 'Desativar')
  await waitFor(() => expect(sent[1]).toEqual(['PATCH /api/reasons/2', { isActive: false }]))
  await actsOf('Engano', 'Excluir')
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Excluir' }))
  await waitFor(() => expect(sent[2]).toEqual(['DELETE /api/reasons/3', undefined]))
})

test('a name that another one has is said at its field, and a change carries the version', async () => {
  show()
  refusal = { code: 'reasons.duplicate', message: 'Já existe o motivo ‘Engano’', status: 409 }
  fireEvent.click(await screen.findByRole('button', { name: 'Financeiro' }))
  typeName('engano')
  save()
  expect((await screen.findByRole('alert')).textContent).toBe('Já existe o motivo ‘Engano’')
  expect(sent).toEqual([['PATCH /api/reasons/1', { name: 'engano', version: 3 }]])
})

test('a level is ordered by key, and an order that is not taken is said', async () => {
  show()
  refusal = { code: 'reasons.order_changed', message: 'Confira a ordem', status: 409 }
  fireEvent.keyDown(await screen.findByRole('button', { name: 'Engano' }), { key: 'ArrowUp', altKey: true })
  await waitFor(() => expect(sent).toEqual([['PUT /api/reasons/order', { parentId: null, ids: [3, 1] }]]))
  screen.getByText('Engano: 1º de 2')
  await waitFor(() => expect(toastStore.get()?.title).toBe('A ordem não foi salva: Confira a ordem'))
})
