// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { refetchNotes } from '#web/conversations/cache/live-notes.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'
import { inApp } from '#web/users/test-app.tsx'
import { ChatSections } from './chat-sections.tsx'
import { NotesSection } from './notes-section.tsx'

afterEach(() => vi.unstubAllGlobals())

const clientWith = (notes: unknown) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(conversationQueries.notesKey(1), notes)
  return client
}

test('the newest notes lead to themselves, with how many there are', () => {
  const notes = [
    { id: 9, senderName: 'Bruno', content: 'até *800*', fileName: null, sentAt: '2026-01-05T12:00:00.000Z' },
    { id: 8, senderName: null, content: '', fileName: 'ficha.pdf', sentAt: '2026-01-05T12:00:00.000Z' },
  ]
  render(<NotesSection conversationId={1} />, { wrapper: inApp(clientWith({ total: 5, notes })) })
  expect(screen.getByRole('region', { name: 'Notas internas' }).textContent).toMatch(/^Notas internas5/)
  const links = screen.getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/chat?conversation=1&mensagem=9',
    '/chat?conversation=1&mensagem=8',
  ])
  expect(links.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^até 800Bruno · /),
    expect.stringMatching(/^ficha.pdfEquipe · /),
  ])
})

test('where there are no notes nothing is said of them', () => {
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined))
  render(<ChatSections id={1} contactId={1} status="active" />, {
    wrapper: inApp(clientWith({ total: 0, notes: [] })),
  })
  expect(screen.queryByText('Notas internas')).toBeNull()
})

test('they are fetched again when a note was pushed, and for no other message', () => {
  const client = clientWith({ total: 0, notes: [] })
  const invalidate = vi.spyOn(client, 'invalidateQueries').mockResolvedValue()
  const push = (messageType: 'text' | 'note') =>
    refetchNotes(
      {
        type: 'new_message',
        data: {
          conversationId: 1,
          conversation: conversationRow(),
          message: messageRow({ messageType, conversationId: 1 }),
        },
      },
      client,
    )
  push('text')
  expect(invalidate).not.toHaveBeenCalled()
  push('note')
  expect(invalidate).toHaveBeenCalledOnce()
})
