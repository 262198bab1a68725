// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { NeighbourKeys } from './neighbour-keys.tsx'

const minute = (at: number) => `2026-11-19T12:${at}:00.000Z`
const rows = [
  conversationRow({ id: 1, startedAt: minute(10) }),
  conversationRow({ id: 2, startedAt: minute(20) }),
]

beforeEach(() => window.history.pushState(null, '', '/chat?conversation=1'))

function show(isAsking: boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(conversationQueries.open().queryKey, rows)
  render(
    <>
      <NeighbourKeys openId={1} />
      <textarea aria-label="Mensagem" />
      <Dialog isOpen={isAsking} onClose={() => undefined} title="Finalizar atendimento">
        <textarea aria-label="Notas" />
      </Dialog>
    </>,
    { wrapper: inApp(client) },
  )
}
const pressIn = (field: string) =>
  fireEvent.keyDown(screen.getByLabelText(field), { key: 'ArrowDown', altKey: true })

test('Alt and an arrow open the next conversation, also from the text of a reply', () => {
  show(false)
  pressIn('Mensagem')
  expect(window.location.search).toBe('?conversation=2')
})

test('Alt and an arrow in a dialog are those of its fields, and leave no chat with what is written', () => {
  show(true)
  // It moves the cursor on a Mac, and opens a select elsewhere.
  expect(pressIn('Notas')).toBe(true)
  expect(window.location.search).toBe('?conversation=1')
})
