// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Sector } from '#shared/sectors/sectors.ts'
import type { Operator } from '#shared/users/users.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { testSector } from '#web/sectors/test-sectors.ts'
import { userQueries } from '#web/users/users.tsx'
import { Receivers } from './receivers.tsx'
import { inApp } from '#web/users/test-app.tsx'

const operator = (id: number, name: string, given: Partial<Operator>): Operator =>
  ({
    id,
    name,
    role: 'operator',
    presence: 'offline',
    activeConversations: 0,
    capacity: 5,
    numberIds: null,
    ...given,
  }) as Operator

const team = [
  operator(1, 'Ana', {}),
  operator(2, 'Bruno', { presence: 'online', activeConversations: 9 }),
  operator(3, 'Íris', { presence: 'online', activeConversations: 2 }),
  operator(4, 'Carla', { presence: 'away' }),
  operator(7, 'Eu mesma', { presence: 'online', activeConversations: 1 }),
]

const onChoose = vi.fn<(id: string) => void>()
beforeEach(() => onChoose.mockClear())

function show(
  instanceIds: number[] = [],
  sectors: Sector[] = [],
  sectorIds: (number | null)[] = [],
  chosen?: string,
) {
  const client = new QueryClient()
  client.setQueryData(sectorQueries.known().queryKey, sectors)
  render(
    <Receivers
      takesFocus
      holderId={4}
      instanceIds={instanceIds}
      sectorIds={sectorIds}
      chosen={chosen}
      onChoose={onChoose}
    />,
    { wrapper: inApp(client) },
  )
  return client
}
const names = () =>
  screen.getAllByRole('radio').map((radio) => /Ana|Bruno|Íris|Carla|Eu/.exec(radio.textContent)?.[0])

test('colleagues online come first, by load, and the first is suggested', async () => {
  vi.stubGlobal('fetch', async () => Response.json(team))
  show()
  await screen.findAllByRole('radio')
  expect(names()).toEqual(['Eu', 'Íris', 'Bruno', 'Ana'])
  expect(screen.getByText('Sugerido').closest('[role=radio]')?.textContent).toContain('Íris')
  expect(document.activeElement).toBe(screen.getAllByRole('radio')[0])
})

test('colleagues keep their places when presence changes', async () => {
  vi.stubGlobal('fetch', async () => Response.json(team))
  const client = show()
  await screen.findAllByRole('radio')
  const before = names()
  act(() => {
    client.setQueryData(
      userQueries.operators().queryKey,
      team.map((each) => ({ ...each, presence: each.id === 1 ? ('online' as const) : ('offline' as const) })),
    )
  })
  await waitFor(() =>
    expect(screen.getByText('Sugerido').closest('[role=radio]')?.textContent).toContain('Ana'),
  )
  expect(names()).toEqual(before)
})

test('a colleague is found by name without accents', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json([...team, ...[11, 12, 13, 14, 15].map((id) => operator(id, `Colega ${id}`, {}))]),
  )
  show()
  fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'iris' } })
  expect(names()).toEqual(['Íris'])
})

test('a colleague who lacks the number is left out', async () => {
  const [ana, bruno, ...others] = team
  const some = [{ ...ana, numberIds: [1] }, { ...bruno, numberIds: [1, 2] }, ...others]
  vi.stubGlobal('fetch', async () => Response.json(some))
  show([1, 2, 2])
  await screen.findAllByRole('radio')
  expect(names()).toEqual(['Eu', 'Íris', 'Bruno'])
})

const suggested = () => screen.queryByText('Sugerido')?.closest('[role=radio]')?.textContent

test("people of the conversation's sector come first of those present, and are suggested", async () => {
  vi.stubGlobal('fetch', async () => Response.json(team))
  show([], [testSector(3, 'Financeiro', [1, 2]), testSector(4, 'Suporte', [3])], [3])
  await screen.findAllByRole('radio')
  expect(names()).toEqual(['Bruno', 'Eu', 'Íris', 'Ana'])
  expect(suggested()).toContain('Bruno')
  const line = (name: RegExp) => screen.getByRole('radio', { name }).textContent
  expect(line(/Íris/)).toContain('Suporte')
  expect(line(/Eu mesma/)).toContain('Sem setor')
})

test('nobody is suggested for a sector without anybody present', async () => {
  vi.stubGlobal('fetch', async () => Response.json(team))
  show([], [testSector(3, 'Financeiro', [1]), testSector(4, 'Suporte', [3])], [3])
  await screen.findAllByRole('radio')
  expect(suggested()).toBeUndefined()
})

test('without a sector whoever has the fewest is suggested, as where there are none', async () => {
  vi.stubGlobal('fetch', async () => Response.json(team))
  show([], [testSector(3, 'Financeiro', [2])], [null])
  await screen.findAllByRole('radio')
  expect(suggested()).toContain('Íris')
})

test('where there are sectors a few are searched, too, and the first is reached by key', async () => {
  vi.stubGlobal('fetch', async () => Response.json(team))
  show([], [testSector(3, 'Financeiro', [2])], [null])
  const field = await screen.findByRole('searchbox')
  fireEvent.change(field, { target: { value: 'a' } })
  expect(names()).toEqual(['Eu', 'Ana'])
  act(() => field.focus())
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(screen.getAllByRole('radio')[0])
  expect(onChoose).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: 'bru' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('2')
})

test('whoever has been chosen stays in sight, behind those that the search finds', async () => {
  vi.stubGlobal('fetch', async () => Response.json(team))
  show([], [testSector(3, 'Financeiro', [2])], [null], '1')
  const field = await screen.findByRole('searchbox')
  fireEvent.change(field, { target: { value: 'bru' } })
  expect(names()).toEqual(['Bruno', 'Ana'])
  expect(screen.getByRole('radio', { checked: true }).textContent).toContain('Ana')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('2')
  fireEvent.change(field, { target: { value: 'ninguém' } })
  screen.getByText('Nenhum operador encontrado')
  expect(names()).toEqual(['Ana'])
})
