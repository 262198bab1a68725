// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { ChatNotFound } from './chat-not-found.tsx'
import { inApp } from '#web/users/test-app.tsx'

function show(before: Conversation | undefined) {
  cleanup()
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(numbersQuery().queryKey, [givenNumber(1)])
  render(<ChatNotFound before={before} />, { wrapper: inApp(client) })
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
