// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { SetAside, SetAsideEvent } from '#shared/gateway/set-aside.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { SetAsideSection } from './set-aside-section.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const event = (id: number, more: Partial<SetAsideEvent>): SetAsideEvent => ({
  id,
  receivedAt: '2026-11-19T14:00:00.000Z',
  instanceName: 'loja1',
  event: 'messages.upsert',
  address: null,
  name: null,
  reason: 'unknown address',
  ...more,
})

let calls: string[]
function show(found: SetAside, retried: () => Response = () => Response.json({ count: 2 })) {
  calls = []
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    calls.push(`${method} ${path}`)
    return method === 'POST' ? retried() : Response.json(found)
  })
  render(
    <UiProvider>
      <SetAsideSection />
    </UiProvider>,
    { wrapper: inApp(new QueryClient({ defaultOptions: { queries: { retry: false } } })) },
  )
}
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Eventos não lidos' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const told = () => screen.findByRole('region', { name: /^Notificações/ })

test('nothing is shown of events that were set aside where there are none', async () => {
  show({ total: 0, events: [] })
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(screen.queryByRole('list', { name: 'Eventos não lidos' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Ler de novo' })).toBeNull()
})

test('an event that was set aside says whom to call, and why it could not be read', async () => {
  show({
    total: 12,
    events: [
      event(3, { name: 'Antonella', address: '5511987654321@novo.whatsapp.net' }),
      event(2, { address: 'abc@newsletter', reason: 'unknown kind pollResult' }),
      event(1, { reason: 'connection terminated' }),
    ],
  })
  const [first, second, third] = await rows()
  expect(first).toContain('Antonella · (11) 98765-4321 (5511987654321@novo.whatsapp.net)')
  expect(first).toMatch(/Endereço de um tipo desconhecido · loja1$/)
  expect(second).toMatch(/^abc@newsletter/)
  expect(second).toContain('Algo que só aparece no celular (pollResult), de quem não tem conversa aberta')
  expect(third).toMatch(/^messages\.upsert/)
  expect(third).toContain('Cinco tentativas falharam: connection terminated')
  screen.getByText('E mais 9, que chegaram antes.')
})

test('events that were set aside are read again, and the list with them', async () => {
  show({ total: 1, events: [event(1, {})] })
  await rows()
  expect(screen.queryByText(/que chegaram antes/)).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Ler de novo' }))
  await within(await told()).findByText('2 eventos serão lidos de novo')
  await waitFor(() =>
    expect(calls).toEqual([
      'GET /api/evolution-config/set-aside',
      'POST /api/evolution-config/set-aside/retry',
      'GET /api/evolution-config/set-aside',
    ]),
  )
})

test('events that were set aside and are not read again are told of with the reason', async () => {
  show({ total: 1, events: [event(1, {})] }, () =>
    Response.json({ code: 'busy', message: 'A fila está cheia' }, { status: 503 }),
  )
  await rows()
  fireEvent.click(screen.getByRole('button', { name: 'Ler de novo' }))
  await within(await told()).findByText('Nada foi lido de novo')
  within(await told()).getByText('A fila está cheia')
})
