// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { useSelection } from '#web/conversations/selection/use-selection.ts'
import { ConversationCard } from './conversation-card.tsx'
import { inApp } from '#web/users/test-app.tsx'

const row = conversationRow()
function Card({ unread }: { unread: number }) {
  const selection = useSelection([row], '')
  const nowMs = Date.parse('2026-11-19T12:05:30.000Z')
  return (
    <ConversationCard conversation={row} unread={unread} isMine={false} selection={selection} nowMs={nowMs} />
  )
}

test('a card shows name, preview and time in bold while something is unread', () => {
  vi.stubGlobal('fetch', async () => Response.json([]))
  const looks = (unread: number) => {
    render(<Card unread={unread} />, { wrapper: inApp(new QueryClient()) })
    const found = [
      screen.getByText('Contato 1'),
      screen.getByText('Nenhuma mensagem ainda').parentElement,
      screen.getByText('Última atividade há 5 minutos'),
    ].map((element) => element?.className.match(/font-\w+|text-accent-text/g)?.join(' '))
    cleanup()
    return found
  }
  expect(looks(0)).toEqual(['font-medium', undefined, undefined])
  expect(looks(2)).toEqual(['font-semibold', 'font-medium', 'font-medium text-accent-text'])
})
