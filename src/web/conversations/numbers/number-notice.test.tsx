// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { inApp } from '#web/users/test-app.tsx'
import { NumberNotice } from './number-notice.tsx'
import { useNumberParts } from './use-number-parts.ts'

function show(what: ReactNode, numbers: GivenNumber[]): void {
  cleanup()
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(numbersQuery().queryKey, numbers)
  render(what, { wrapper: inApp(client) })
}

function noticeOf(numbers: GivenNumber[]): string | null | undefined {
  show(<NumberNotice instanceId={2} />, numbers)
  return screen.queryByRole('status')?.textContent
}

test('a chat shows that its number is away, or off', () => {
  const [one, away] = [givenNumber(1), givenNumber(2, { isConnected: false })]
  expect(noticeOf([one, givenNumber(2)])).toBeUndefined()
  expect(noticeOf([one, away])).toMatch(
    /^O número loja2 está sem conexão com o WhatsApp: .+ quando ele voltar/,
  )
  expect(noticeOf([one, { ...away, isActive: false }])).toMatch(/^O número loja2 está desativado: /)
  expect(noticeOf([away])).toBeUndefined()
  expect(noticeOf([{ ...away, isActive: false }])).toMatch(
    /^O número loja2 está desativado: um administrador/,
  )
})

function Chat() {
  const parts = useNumberParts()
  return parts ? <parts.NumberNotice instanceId={2} /> : null
}

test('a chat shows the notice of the only number there is, once that is off', async () => {
  show(<Chat />, [givenNumber(2, { isActive: false })])
  await screen.findByText(/^O número loja2 está desativado: /)
})
