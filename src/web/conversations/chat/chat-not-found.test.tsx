// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Scope } from '#shared/users/scope.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { keepWritten } from '#web/conversations/drafts/local-drafts.ts'
import { keepNoteDraft } from '#web/conversations/drafts/use-note-draft.ts'
import { restoreSends } from '#web/conversations/sends/send-mutations.ts'
import { storeSend } from '#web/conversations/sends/sends.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { ChatNotFound } from './chat-not-found.tsx'
import { inApp } from '#web/users/test-app.tsx'

function show(before: Conversation | undefined, scope: Scope = 'all') {
  cleanup()
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(numbersQuery().queryKey, [givenNumber(1)])
  render(<ChatNotFound before={before} />, { wrapper: inApp(client, { scope }) })
  return client
}

test('a chat of a number that was taken says so; one that was deleted, or never seen, does not', () => {
  show(conversationRow({ instanceId: 2 }))
  screen.getByText('Você não atende mais este número')
  screen.getByText('A conversa com Contato 1 continua com quem atende o número.')
  for (const before of [conversationRow({ instanceId: 1 }), undefined]) {
    show(before)
    screen.getByText('Conversa não encontrada')
  }
})

test('one that has left the reach says so, and nothing of it; what was never seen is not found', () => {
  show(conversationRow({ instanceId: 1 }), 'sector')
  screen.getByText('Esta conversa saiu do seu alcance')
  expect(document.body.textContent).not.toContain('Contato 1')
  show(undefined, 'sector')
  screen.getByText('A conversa solicitada não existe ou foi removida.')
})

test('what was half written in a chat that is gone can be copied', () => {
  const row = conversationRow({ id: 5, instanceId: 1 })
  keepWritten(7, 5, { content: 'Segue o boleto', quoted: null, atMs: 1 })
  keepNoteDraft(7, 5, 'conferir o CNPJ')
  show(row, 'own')
  screen.getByText('Segue o boleto')
  screen.getByText('conferir o CNPJ')
  expect(screen.getAllByRole('button', { name: 'Copiar texto' })).toHaveLength(2)
  show(undefined, 'own')
  expect(screen.queryByText('Segue o boleto')).toBeNull()
})

test('messages that were refused when a chat was taken away can be copied', async () => {
  localStorage.clear()
  const client = show(conversationRow({ id: 6, instanceId: 1 }), 'own')
  const sent = { userId: 7, userName: 'Ana', conversationId: 6, quoted: null, composedAtMs: 1 }
  const refusal = 'Conversa não encontrada'
  storeSend({ ...sent, clientMessageId: 'aaaaaaaa', content: 'Pode retirar hoje', refusal })
  storeSend({ ...sent, clientMessageId: 'bbbbbbbb', content: 'pagou em dobro', isNote: true, refusal })
  storeSend({ ...sent, clientMessageId: 'cccccccc', conversationId: 9, content: 'de outra', refusal })
  restoreSends(client, 7)
  await screen.findByText('Pode retirar hoje')
  screen.getByText('pagou em dobro')
  expect(screen.getAllByRole('button', { name: 'Copiar texto' })).toHaveLength(2)
})
