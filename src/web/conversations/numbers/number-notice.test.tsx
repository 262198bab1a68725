// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { NumberNotice } from './number-notice.tsx'
import { inApp } from '#web/users/test-app.tsx'

function noticeOf(numbers: GivenNumber[]): string | null | undefined {
  cleanup()
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(numbersQuery().queryKey, numbers)
  render(<NumberNotice instanceId={2} />, { wrapper: inApp(client) })
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
