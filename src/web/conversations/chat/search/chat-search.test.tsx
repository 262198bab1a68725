// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { ChatSearch } from './chat-search.tsx'

/** What the server finds for each text, newest first; undefined: it does not answer. */
let finds: Record<string, number[] | undefined> = {}
let asked: string[] = []
let jumps: number[] = []
const jump = (id: number) => void jumps.push(id)
const onClose = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  finds = {}
  asked = []
  jumps = []
  vi.stubGlobal('fetch', async (url: string) => {
    const words = new URL(url, 'http://x').searchParams.get('words') ?? ''
    asked.push(words)
    const ids = finds[words]
    if (!ids) throw new TypeError('network')
    return new Response(JSON.stringify({ ids, isCut: ids.length > 3 }))
  })
})
afterEach(() => {
  onClose.mockReset()
})

/** Each time what has become due is rendered. */
async function pass(...pauses: number[]) {
  for (const ms of pauses) await act(() => vi.advanceTimersByTimeAsync(ms))
}

function openSearch() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const bar = (messageCount: number) => (
    <QueryClientProvider client={client}>
      <ChatSearch
        conversation={conversationRow({ messageCount })}
        asked={1}
        onJump={jump}
        onClose={onClose}
      />
    </QueryClientProvider>
  )
  const { rerender } = render(bar(9))
  const field = screen.getByRole('searchbox', { name: 'Buscar na conversa...' })
  return {
    field,
    type: async (...texts: string[]) => {
      for (const text of texts) fireEvent.change(field, { target: { value: text } })
      await pass(250, 50)
    },
    press: (key: string, shiftKey = false) => fireEvent.keyDown(field, { key, shiftKey }),
    change: async () => {
      void client.invalidateQueries({ queryKey: conversationQueries.searches(1) })
      await pass(50, 50)
    },
    arrive: async () => {
      rerender(bar(10))
      await pass(50, 50)
    },
  }
}
const status = () => screen.getByRole('status').textContent

test('a search begins at the newest message, and keys lead to older and newer ones', async () => {
  const { field, type, press } = openSearch()
  expect(document.activeElement).toBe(field)
  finds = { boleto: [30, 20, 10] }
  await type('b', 'bo', 'boleto ')
  expect([asked, jumps, status()]).toEqual([['boleto'], [30], '1 de 3'])
  press('Enter')
  press('ArrowUp')
  // There is no older one.
  press('Enter')
  expect([jumps, status()]).toEqual([[30, 20, 10], '3 de 3'])
  press('Enter', true)
  press('ArrowDown')
  expect([jumps, status()]).toEqual([[30, 20, 10, 20, 30], '1 de 3'])
  press('Escape')
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('a new message that is also found leaves the reader in place', async () => {
  const { type, press, arrive } = openSearch()
  finds = { boleto: [30, 20] }
  await type('boleto')
  press('Enter')
  finds = { boleto: [40, 30, 20] }
  await arrive()
  expect([jumps, status()]).toEqual([[30, 20], '3 de 3'])
})

test('a message that is found no more leaves the reader at the next older one', async () => {
  const { type, press, change } = openSearch()
  finds = { boleto: [30, 20, 10] }
  await type('boleto')
  press('Enter')
  finds = { boleto: [30, 10] }
  await change()
  expect([jumps, status()]).toEqual([[30, 20, 10], '2 de 2'])
  finds = { boleto: [] }
  await change()
  expect(status()).toBe('Nada encontrado')
})

test('nothing found, too much found and a search that failed are reported', async () => {
  const { type } = openSearch()
  finds = { nada: [], tudo: [4, 3, 2, 1] }
  await type('nada')
  expect(status()).toBe('Nada encontrado')
  await type('tudo')
  expect(status()).toBe('1 de mais de 1.000')
  await type('rede')
  await screen.findByText('Não foi possível buscar.')
  finds = { rede: [5] }
  fireEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  await pass(50, 50)
  expect([jumps.at(-1), status()]).toEqual([5, '1 de 1'])
  await type('')
  expect(status()).toBe('')
})
