// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { EarlierConversations } from './earlier-conversations.tsx'
import { inApp } from '#web/users/test-app.tsx'

function show(given: Partial<Conversation>): string {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(conversationQueries.history(1).queryKey, {
    pages: [[conversationRow(given)]],
    pageParams: [null],
  })
  render(<EarlierConversations contactId={1} />, { wrapper: inApp(client) })
  return screen.getByRole('link').textContent
}

const completed = {
  status: 'completed',
  startedAt: '2026-11-19T12:00:00.000Z',
  completedAt: '2026-11-19T13:25:00.000Z',
} as const

test('a rated conversation shows its rating', () => {
  const text = show({ ...completed, satisfaction: 4 })
  expect(screen.getByRole('img', { name: 'Avaliação 4 de 5' }).textContent).toBe('4')
  expect(text).not.toContain('1 h')
})

test('one without a rating shows how long it took, and never that it was finalized', () => {
  const text = show(completed)
  expect(screen.getByTitle('Durou 1 h 25 min').textContent).toBe('1 h 25 min')
  expect(text).not.toContain('Finalizada')
  expect(screen.queryByRole('img', { name: /Avaliação/ })).toBeNull()
})

test.each([
  ['Aberta', { satisfaction: null }],
  ['Cancelada no pré-atendimento', { ...completed, preAttendanceStage: 'cancelled' }],
] as const)('%s is shown for a conversation that was not attended to its end', (words, given) => {
  expect(show(given)).toContain(words)
})
