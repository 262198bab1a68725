// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { expect, test } from 'vitest'
import type { Me, Operator } from '#shared/users/users.ts'
import { MeContext } from '#web/users/me-context.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { TeamRow } from './team-row.tsx'
import { teamNow } from './team.ts'

const ana: Operator = {
  id: 1,
  name: 'Ana',
  role: 'operator',
  pictureUrl: null,
  presence: 'online',
  isOnline: true,
  since: null,
  activeConversations: 1,
  capacity: 5,
  numberIds: null,
}
const nowMs = Date.parse('2026-11-19T14:00:00Z')

function TeamTable({
  member,
  reply,
}: Pick<ComponentProps<typeof TeamRow>, 'member'> & {
  reply?: ComponentProps<typeof TeamRow>['reply']
}) {
  return (
    <table>
      <tbody>
        <TeamRow
          member={member}
          nowMs={nowMs}
          isWide
          reply={reply}
          listed={undefined}
          onList={() => undefined}
          onDistribute={undefined}
        />
      </tbody>
    </table>
  )
}

test.each([
  { waits: 6, queue: 2, isMarked: true },
  { waits: 5, queue: 2, isMarked: true },
  { waits: 4, queue: 2, isMarked: false },
  { waits: 6, queue: 7, isMarked: false },
])(
  '$waits min, with $queue min in the queue, are marked as more: $isMarked',
  ({ waits, queue, isMarked }) => {
    const held = (id: number, assignedUserId: number | null, minutes: number) =>
      conversationRow({ id, assignedUserId, waitingSince: new Date(nowMs - minutes * 60_000).toISOString() })
    for (const member of teamNow([ana], [held(1, ana.id, waits), held(2, null, queue)]))
      render(<TeamTable member={member} />)
    const link = screen.getByRole('link', { name: new RegExp(`^Contato 1 *${waits} min`) })
    expect(link.getAttribute('href')).toBe('/chat?conversation=1')
    expect(link.textContent.includes('mais que a fila')).toBe(isMarked)
  },
)

test.each([
  { waiting: 5, presence: 'online', isFull: true },
  { waiting: 4, presence: 'online', isFull: false },
  { waiting: 5, presence: 'away', isFull: false },
] as const)(
  '$presence with $waiting of 5 who wait is at the limit: $isFull',
  ({ waiting, presence, isFull }) => {
    const rows = Array.from({ length: waiting }, (_, n) =>
      conversationRow({ id: n + 1, assignedUserId: ana.id, waitingSince: new Date(nowMs).toISOString() }),
    )
    for (const member of teamNow([{ ...ana, presence }], rows)) render(<TeamTable member={member} />)
    expect(screen.queryByText('no limite, 5 de 5') !== null).toBe(isFull)
  },
)

test('the time of a pause runs by the second, for eyes alone, and says by how much it is over', () => {
  const pause = {
    reasonId: 1,
    name: 'Lanche',
    icon: 'snack',
    color: '#ca8a04',
    limitMinutes: 15,
    since: new Date(Date.now() - 1_111_000).toISOString(),
  } as const
  for (const member of teamNow([{ ...ana, presence: 'paused', pause }], []))
    render(<TeamTable member={member} />)
  const clock = document.querySelector('[data-time]')
  expect(clock?.getAttribute('data-time')).toMatch(/^18:3[0-2]$/)
  expect(clock?.getAttribute('aria-hidden')).toBe('true')
  expect(screen.getByRole('rowheader').textContent).toContain('Lanche18 min de 15 min, passou 3 min')
})

test('a colleague who has answered only outside of the hours has no first reply of 0 s', () => {
  const [member] = teamNow([ana], [])
  if (!member) throw new Error('no member')
  render(
    <MeContext value={{ id: 7, role: 'operator', permissions: {} } as Me}>
      <TeamTable
        member={member}
        reply={{ userId: 1, replied: 2, outside: 2, openMs: null, clockMs: 17 * 60_000 }}
      />
    </MeContext>,
  )
  expect(screen.getByText('fora do expediente')).not.toBe(null)
})
