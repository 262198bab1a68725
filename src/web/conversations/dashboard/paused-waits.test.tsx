// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Operator } from '#shared/users/users.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { inApp } from '#web/users/test-app.tsx'
import { PausedWaits } from './paused-waits.tsx'
import { teamNow } from './team.ts'

const pause = {
  reasonId: 3,
  name: 'Almoço',
  icon: 'meal',
  color: '#ea580c',
  limitMinutes: 60,
  since: '2026-11-19T13:00:00Z',
} as const
const person = (id: number, presence: Operator['presence']): Operator => ({
  id,
  name: `Pessoa ${id}`,
  role: 'operator',
  pictureUrl: null,
  presence,
  ...(presence === 'paused' && { pause }),
  since: null,
  isOnline: true,
  activeConversations: 1,
  capacity: 5,
  numberIds: null,
})
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const show = (mayReturn = true) =>
  render(
    <PausedWaits
      mayReturn={mayReturn}
      team={teamNow(
        [person(1, 'paused'), person(2, 'online')],
        [
          conversationRow({ id: 10, assignedUserId: 1, waitingSince: ago(185) }),
          conversationRow({ id: 11, assignedUserId: 1, waitingSince: ago(4) }),
          conversationRow({ id: 12, assignedUserId: 1, waitingSince: null }),
          conversationRow({ id: 13, assignedUserId: 2, waitingSince: ago(400) }),
        ],
      )}
    />,
    { wrapper: inApp(new QueryClient()) },
  )

test('those who wait for somebody in a pause are told, and given to the queue', async () => {
  const sent: string[] = []
  vi.stubGlobal('fetch', (url: string | URL, init?: RequestInit) => {
    sent.push(`${init?.method} ${String(url)} ${init?.body as string}`)
    return new Promise<never>(() => undefined)
  })
  show()
  screen.getByText('2 clientes de quem está em pausa esperam há 3 horas.')
  fireEvent.click(screen.getByRole('button', { name: 'Devolver à fila' }))
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent.toSorted()).toEqual([
    'PATCH /api/conversations/10/assign-operator {"operatorId":null,"holderId":1}',
    'PATCH /api/conversations/11/assign-operator {"operatorId":null,"holderId":1}',
  ])
})

test('whoever may not give conversations away is told only that clients wait', () => {
  show(false)
  screen.getByText(/^2 clientes/)
  expect(screen.queryByRole('button')).toBeNull()
})
