// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { GatewayNews } from '#shared/gateway/events.ts'
import type { Me } from '#shared/users/users.ts'
import { newsQuery } from '#web/gateway/pushed.ts'
import { TopBar } from './top-bar.tsx'
import { inApp } from '#web/users/test-app.tsx'

beforeEach(() =>
  vi.stubGlobal('fetch', async (path: string) =>
    path === '/api/numbers' ? Response.json([]) : new Promise<never>(() => undefined),
  ),
)

function show(news: Partial<GatewayNews> | undefined, me: Partial<Me> = { role: 'operator' }) {
  cleanup()
  const client = new QueryClient()
  const reported = { gatewayConnected: true, away: [], waiting: 0, recovered: null, numbersVersion: 'a' }
  if (news) client.setQueryData(newsQuery().queryKey, { ...reported, ...news })
  render(<TopBar onMenu={undefined} onGoTo={() => undefined} />, {
    wrapper: inApp(client, { permissions: {}, ...me }),
  })
  const state = screen.getByRole('status')
  return [state.textContent, state.title]
}

const [norte, sul] = [
  { id: 2, name: 'loja-norte', state: 'close' },
  { id: 3, name: 'loja-sul', state: 'close' },
]

test('the top bar names absent numbers, or the state of all', () => {
  expect(show(undefined)).toEqual(['', ''])
  expect(show({})).toEqual(['Conectado', 'O WhatsApp está conectado'])
  expect(show({ away: [norte] })).toEqual(['loja-norte sem conexão', 'loja-norte sem conexão'])
  expect(show({ away: [norte, sul] })[0]).toBe('loja-norte, loja-sul sem conexão')
  expect(show({ gatewayConnected: false, away: [norte] })).toEqual([
    'Desconectado',
    'O WhatsApp está desconectado',
  ])
  const license = 'A Evolution API precisa de uma licença, que se ativa no servidor dela'
  const unlicensed = { ...norte, state: 'unlicensed' }
  expect(show({ gatewayConnected: false, away: [unlicensed] })).toEqual(['Sem licença', license])
  expect(show({ away: [unlicensed] })).toEqual(['loja-norte sem licença', license])
})

const mayConnect = { canManageEvolutionApi: true } as Me['permissions']
const admin: Partial<Me> = { role: 'admin', permissions: mayConnect }

test("'Desconectado' leads whoever can connect a number to the first steps, and nobody else", () => {
  const link = () => screen.queryByRole('link', { name: 'Desconectado' })?.getAttribute('href')
  show({ gatewayConnected: false }, admin)
  expect(link()).toBe('/primeiros-passos')
  show({ gatewayConnected: false })
  expect(link()).toBeUndefined()
  show({}, admin)
  expect(link()).toBeUndefined()
})
