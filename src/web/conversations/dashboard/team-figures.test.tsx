// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Operator, PauseNow } from '#shared/users/users.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { TeamFigures } from './team-figures.tsx'
import { teamNow } from './team.ts'

const someone = (id: number, presence: Operator['presence'], pause?: PauseNow): Operator => ({
  id,
  name: `Pessoa ${id}`,
  role: 'operator',
  pictureUrl: null,
  presence,
  ...(pause && { pause }),
  isOnline: presence !== 'offline',
  since: null,
  activeConversations: 0,
  capacity: 2,
  numberIds: null,
})
const pauseSince = (minutes: number): PauseNow => ({
  reasonId: 1,
  name: 'Almoço',
  icon: 'meal',
  color: '#ea580c',
  limitMinutes: 60,
  since: new Date(Date.now() - minutes * 60_000).toISOString(),
})

test('the figures of the team count each presence, who is at the limit, and pauses that are too long', () => {
  const waits = (id: number, assignedUserId: number) =>
    conversationRow({ id, assignedUserId, waitingSince: '2026-11-19T12:00:00.000Z' })
  const team = teamNow(
    [
      someone(1, 'online'),
      someone(2, 'online'),
      someone(3, 'paused', pauseSince(72)),
      someone(4, 'paused', pauseSince(10)),
      someone(5, 'idle'),
      someone(6, 'away'),
      someone(7, 'offline'),
    ],
    // Whoever is offline is at no limit, however many wait.
    [waits(1, 2), waits(2, 2), waits(3, 1), waits(4, 7), waits(5, 7)],
  )
  render(<TeamFigures team={team} />)
  const said = screen
    .getAllByRole('term')
    .map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`)
  expect(said).toEqual([
    'Disponíveis: 21 no limite',
    'Em pausa: 21 além do limite',
    'Ausentes: 2',
    'Offline: 1',
  ])
})
