// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { inApp } from '#web/users/test-app.tsx'
import { useForwardNumber } from './forward-number.ts'
import type { ForwardReceiver } from './forward-receivers.ts'

beforeEach(() => vi.stubGlobal('fetch', () => new Promise<never>(() => undefined)))

const card = { name: 'Sônia', avatarUrl: null }
const stranger: ForwardReceiver = { key: 'contact 20', contactId: 20, card, detail: '' }
const client: ForwardReceiver = { ...stranger, key: 'conversation 3', open: { id: 3, instanceId: 2 } }

function choiceOf(receiver: ForwardReceiver, numbers: GivenNumber[]) {
  const queries = new QueryClient()
  queries.setQueryData(numbersQuery().queryKey, numbers)
  const { result, rerender } = renderHook(useForwardNumber, {
    initialProps: receiver as ForwardReceiver | undefined,
    wrapper: inApp(queries, { permissions: { canViewContacts: true, canCreateConversations: true } }),
  })
  return {
    labels: () => result.current.options.map(({ label }) => label),
    value: () => result.current.value,
    choose: (value: string) => act(() => result.current.choose(value)),
    to: (whom = receiver) => result.current.to(whom),
    show: (whom: ForwardReceiver) => rerender(whom),
  }
}
const both = [givenNumber(1), givenNumber(2)]

test('with one number nothing is asked when a message is forwarded', () => {
  const choice = choiceOf(stranger, [givenNumber(1)])
  expect([choice.labels(), choice.to()]).toEqual([[], { contactId: 20 }])
})

test('an open conversation keeps its number, unless another one is chosen', () => {
  const choice = choiceOf(client, both)
  expect([choice.labels(), choice.value(), choice.to()]).toEqual([
    ['loja1', 'loja2'],
    '2',
    { conversationId: 3 },
  ])
  choice.choose('1')
  expect(choice.to()).toEqual({ contactId: 20, instanceId: 1 })
})

test('a contact without a conversation gets what the server takes, or the number that is chosen', () => {
  const choice = choiceOf(stranger, [...both, givenNumber(3, { isActive: false })])
  expect(choice.labels()).toEqual(['O da última conversa, ou o principal', 'loja1', 'loja2'])
  expect(choice.to()).toEqual({ contactId: 20 })
  choice.choose('2')
  expect(choice.to()).toEqual({ contactId: 20, instanceId: 2 })
})

test('a number that was chosen for one receiver is not taken for the next', () => {
  const choice = choiceOf(client, both)
  choice.choose('1')
  choice.show(stranger)
  expect(choice.to(stranger)).toEqual({ contactId: 20 })
})
