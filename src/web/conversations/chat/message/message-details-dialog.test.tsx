// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { patchMessage } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { MessageDetailsDialog } from './message-details-dialog.tsx'
import { inApp } from '#web/users/test-app.tsx'

/** What the server answers; undefined: nothing. */
let details: object | undefined
beforeEach(() => {
  details = { deliveredAt: null, readAt: null, versions: [] }
  vi.stubGlobal('fetch', async () => {
    if (!details) throw new TypeError('network')
    return new Response(JSON.stringify(details))
  })
})

function open(message: Message) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(conversationQueries.messages(1).queryKey, { pages: [[message]], pageParams: [null] })
  render(<MessageDetailsDialog message={message} contactName="Lia" onClose={() => undefined} />, {
    wrapper: inApp(client),
  })
  return client
}
/** The facts by their names. */
const facts = () => {
  const texts = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent)
  const values = texts('definition')
  return Object.fromEntries(texts('term').map((name, n) => [name, values[n]]))
}
const ours = messageRow({
  id: 7,
  senderType: 'user',
  senderName: 'Ana',
  messageType: 'document',
  fileName: 'nota.pdf',
  fileSize: 2048,
  deliveryStatus: 'sent',
})

test('the details follow what becomes of the message while they are open', async () => {
  const client = open(ours)
  await vi.waitFor(() => expect(facts()['Entregue']).toBe('–'), 15_000)
  expect(facts()).toMatchObject({
    De: 'Ana',
    Tipo: 'Documento',
    Arquivo: 'nota.pdf',
    Tamanho: '2 KB',
    Enviada: '19/11/2026 09:00',
    Situação: 'Enviada',
    Lida: '–',
  })
  details = { deliveredAt: '2026-11-19T12:05:00.000Z', readAt: null, versions: [] }
  act(() => patchMessage(client, { ...ours, deliveryStatus: 'delivered', version: 2 }))
  await vi.waitFor(() => expect(facts()['Entregue']).toBe('19/11/2026 09:05'), 15_000)
  expect(facts()['Situação']).toBe('Entregue')
})

test('a client’s message has no delivery, and an edited one shows its earlier text', async () => {
  details = {
    deliveredAt: null,
    readAt: null,
    versions: [{ content: 'chega quinta', replacedAt: '2026-11-19T12:01:00.000Z' }],
  }
  open(messageRow({ content: 'chega sexta', editedAt: '2026-11-19T12:01:00.000Z' }))
  await screen.findByText('chega quinta')
  expect(Object.keys(facts())).toEqual(['De', 'Tipo', 'Enviada', 'Chegou', 'Editada'])
  expect(facts()['De']).toBe('Lia')
})

test('what could not be loaded is said, and asked for again', async () => {
  details = undefined
  open(ours)
  await screen.findByText('Não foi possível carregar os dados da mensagem.')
  details = { deliveredAt: '2026-11-19T12:05:00.000Z', readAt: null, versions: [] }
  act(() => screen.getByRole('button', { name: 'Tentar novamente' }).click())
  await vi.waitFor(() => expect(facts()['Entregue']).toBe('19/11/2026 09:05'), 15_000)
})
