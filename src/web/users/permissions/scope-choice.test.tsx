// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { UserScope } from '#shared/users/user-scope.ts'
import { inApp } from '#web/users/test-app.tsx'
import { lossOf, ScopeChoice } from './scope-choice.tsx'

const ofPerson = (given: Partial<UserScope> = {}): UserScope => ({
  scope: 'all',
  offered: ['own', 'sector', 'all'],
  sectors: [{ id: 1, name: 'Suporte', color: '#ea580c' }],
  areSectors: true,
  open: { own: 2, sector: 3, all: 13, cards: 4, total: 13 },
  ...given,
})

const saved: unknown[] = []
function shows(given?: Partial<UserScope>) {
  saved.length = 0
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return Response.json(ofPerson(given))
    const wanted = JSON.parse(body as string) as Pick<UserScope, 'scope'>
    saved.push(wanted)
    return Response.json(ofPerson({ ...given, ...wanted }))
  })
  render(<ScopeChoice userId={5} name="Carla Menezes" />, { wrapper: inApp(new QueryClient()) })
}
afterEach(() => vi.unstubAllGlobals())

test.each<[Parameters<typeof lossOf>, string]>([
  [
    [ofPerson(), 'sector', 'Carla'],
    '10 conversas abertas somem da lista de Carla agora; menções e avisos delas também.',
  ],
  [
    [ofPerson(), 'own', 'Carla'],
    '7 conversas abertas somem da lista de Carla agora; menções e avisos delas também. ' +
      '4 da fila mostram só nome, espera e setor.',
  ],
  [
    [ofPerson({ scope: 'sector', open: { own: 1, sector: 2, all: 2, cards: 0, total: 2 } }), 'own', 'Carla'],
    '1 conversa aberta some da lista de Carla agora; menções e avisos dela também.',
  ],
  [
    [ofPerson({ scope: 'sector', open: { own: 1, sector: 2, all: 2, cards: 1, total: 2 } }), 'own', 'Carla'],
    'Nenhuma conversa aberta some da lista de Carla agora. 1 da fila mostra só nome, espera e setor.',
  ],
])('a narrower scope says what it takes away: %#', (given, words) => {
  expect(lossOf(...given)).toBe(words)
})

test('a narrower scope holds once it was said what it takes away, and can be left alone', async () => {
  shows()
  fireEvent.click(await screen.findByRole('radio', { name: /^Do setor/ }))
  await screen.findByText(/^10 conversas abertas somem da lista de Carla agora/)
  expect(saved).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
  expect(screen.getByRole('radio', { name: /^Todas/ }).getAttribute('aria-checked')).toBe('true')
  fireEvent.click(screen.getByRole('radio', { name: /^Do setor/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Mudar para Do setor' }))
  await waitFor(() => expect(saved).toEqual([{ scope: 'sector' }]))
  await waitFor(() => expect(screen.queryByText(/somem/)).toBeNull())
})

test('a wider scope holds at once', async () => {
  shows({ scope: 'own' })
  fireEvent.click(await screen.findByRole('radio', { name: /^Todas/ }))
  await waitFor(() => expect(saved).toEqual([{ scope: 'all' }]))
})

test('why somebody cannot have the least scope is written', async () => {
  shows({ scope: 'sector', offered: ['sector', 'all'] })
  const own = await screen.findByRole('radio', { name: /^Próprias/ })
  expect(own.textContent).toContain('Supervisores e responsáveis veem pelo menos')
  expect(own).toHaveProperty('disabled', true)
})
