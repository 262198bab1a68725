// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import { EvolutionTab } from './evolution-tab.tsx'
import { inApp } from '#web/users/test-app.tsx'

const number = (id: number, given: Partial<ManagedNumber> = {}): ManagedNumber => ({
  id,
  instanceName: `loja${id}`,
  apiKeyHint: '',
  baseUrl: 'https://evolution.exemplo.com',
  webhookUrl: null,
  isActive: true,
  status: 'open',
  lastConnectedAt: '2026-11-19T12:00:00.000Z',
  webhookSetAt: null,
  defaultSectorId: null,
  ownerJid: `551195555000${id}@s.whatsapp.net`,
  profileName: null,
  openConversations: 0,
  own: {},
  ownVersion: 0,
  ...given,
})

/** What the installation has; undefined: it cannot be fetched. */
let numbers: ManagedNumber[] | undefined
let asked: string[]
beforeEach(() => {
  window.history.pushState(null, '', '/settings-advanced?aba=evolution')
  asked = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    if (path === '/api/evolution-config/numbers')
      return numbers
        ? Response.json(numbers)
        : Response.json({ code: 'request.unavailable', message: 'Tente de novo' }, { status: 503 })
    if (path === '/api/first-steps') return Response.json(null)
    return path === '/api/numbers' ? Response.json([]) : new Promise<never>(() => undefined)
  })
})

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(<EvolutionTab own={({ number: { instanceName } }) => <p>Próprio de {instanceName}</p>} />, {
    wrapper: inApp(client, { id: 1, role: 'admin', permissions: {} }),
  })
}
const list = () => screen.queryByRole('list', { name: 'Números' })
const nameField = () => screen.getByLabelText<HTMLInputElement>('Nome da instância')
const rows = () =>
  within(screen.getByRole('list', { name: 'Números' }))
    .getAllByRole('button')
    .map((row) => row.textContent)

test('one number has no list, only a button for a second one', async () => {
  numbers = [number(1)]
  show()
  await waitFor(() => expect(nameField().value).toBe('loja1'))
  expect(list()).toBeNull()
  expect(screen.queryByRole('radio', { name: 'Próprio deste número' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Excluir número' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Adicionar número' }))
  await screen.findByRole('heading', { name: 'Novo número' })
  expect(nameField().value).toBe('')
  // Most have the same gateway.
  expect(screen.getByLabelText<HTMLInputElement>('URL base').value).toBe('https://evolution.exemplo.com')
  fireEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
  await waitFor(() => expect(nameField().value).toBe('loja1'))
})

test('the chosen one of several numbers is shown, with its own settings', async () => {
  numbers = [number(1, { openConversations: 2 }), number(2, { isActive: false, ownerJid: null })]
  show()
  await screen.findByRole('list', { name: 'Números' })
  expect(rows()).toEqual([
    expect.stringMatching(/^loja1principal\(11\) 95555-0001.*2 conversas abertas.*Conectado$/),
    expect.stringMatching(/^loja2sem celular ainda.*nenhuma conversa aberta.*Desativado$/),
  ])
  expect(nameField().value).toBe('loja1')
  fireEvent.click(screen.getByRole('button', { name: /^loja2/ }))
  await waitFor(() => expect(nameField().value).toBe('loja2'))
  expect(asked).toContain('/api/evolution-config/status?id=2')
  fireEvent.click(screen.getByRole('radio', { name: 'Próprio deste número' }))
  await screen.findByText('Próprio de loja2')
  expect(location.search).toBe('?aba=evolution&numero=2&parte=proprio')
})

test('the tab of the gateway says why nothing is shown, and tries again', async () => {
  numbers = undefined
  show()
  await screen.findByText('Tente de novo')
  numbers = [number(1)]
  fireEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  await waitFor(() => expect(nameField().value).toBe('loja1'))
})

test('a gateway on a refused address is told with the line that permits it', async () => {
  numbers = [number(1)]
  const answer = globalThis.fetch
  const refused = {
    success: false,
    total: 0,
    instanceNames: [],
    message: 'recusado',
    details: '',
    version: null,
  }
  vi.stubGlobal('fetch', async (path: string) =>
    path === '/api/evolution-config/test'
      ? Response.json({ ...refused, missingHost: 'localhost:8080' })
      : answer(path),
  )
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  show()
  await waitFor(() => expect(nameField().value).toBe('loja1'))
  fireEvent.click(screen.getByRole('button', { name: 'Testar Conexão' }))
  await screen.findByText('GATEWAY_ALLOWED_HOSTS=localhost:8080')
  screen.getByText(/A mudança vale depois de reiniciar/)
  fireEvent.click(screen.getByRole('button', { name: 'Copiar linha' }))
  await waitFor(() => expect(writeText).toHaveBeenCalledWith('GATEWAY_ALLOWED_HOSTS=localhost:8080'))
  await screen.findByRole('button', { name: 'Linha copiada' })
})

test("'Descartar' takes the result of a test with it, which was of other values", async () => {
  numbers = [number(1)]
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (path: string) =>
    path === '/api/evolution-config/test'
      ? Response.json({ success: false, total: 0, instanceNames: [], message: 'recusado', details: null })
      : answer(path),
  )
  show()
  await waitFor(() => expect(nameField().value).toBe('loja1'))
  fireEvent.change(nameField(), { target: { value: 'loja2' } })
  fireEvent.click(screen.getByRole('button', { name: 'Testar Conexão' }))
  await screen.findByText('Falha na conectividade: recusado')
  fireEvent.click(await screen.findByRole('button', { name: 'Descartar' }))
  await waitFor(() => expect(screen.queryByText('Falha na conectividade: recusado')).toBeNull())
  expect(nameField().value).toBe('loja1')
})
