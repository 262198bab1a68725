import { beforeEach, expect, test, vi } from 'vitest'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { endOfLog, type EventRow, formatCursor } from '#server/platform/database/events.ts'
import { createReplays, type ResyncReason } from './live-replay.ts'
import type { LiveSocket } from './live-socket.ts'
import { anyEvent } from '#server/testing/inputs/any-event.ts'

const t = forAllTests(testDatabase)
beforeEach(() => t.sql`truncate events restart identity`)

/** A returning socket that records what it gets. */
function returning() {
  const reported: string[] = []
  const socket = {
    catchUp: (events: { seq: string }[]) => reported.push(...events.map(({ seq }) => seq), 'resumed'),
    release: () => undefined,
  } as unknown as LiveSocket
  return { socket, reported }
}

function replays(render = vi.fn(async (found: EventRow[]) => found.map(() => []))) {
  const reasons: ResyncReason[] = []
  const replay = createReplays({
    database: t.database,
    render,
    deliveredUpTo: () => ({ tx: '0', seq: '0' }),
    resync: (_socket, reason) => void reasons.push(reason),
  })
  return { replay, render, reasons }
}
const write = () => inTransaction(t.database, async (db) => db.emit(anyEvent('n')))

test('a thousand who come back to one place share a look at the log and a rendering', async () => {
  await write()
  const [place] = await t.sql<{ tx: string; seq: string }>`select tx::text, seq::text from events`
  for (let n = 0; n < 3; n++) await write()
  const { replay, render } = replays()
  const people = Array.from({ length: 1000 }, returning)
  const cursor = formatCursor(place ?? { tx: '0', seq: '0' })
  await Promise.all(people.map(({ socket }) => replay({ socket, cursor })))
  expect(render.mock.calls.length).toBeLessThanOrEqual(2)
  for (const { reported } of people) expect(reported).toEqual(['2', '3', '4', 'resumed'])
})

test('a socket that returns during a replay gets a reading of its own, with later events', async () => {
  const cursor = formatCursor(await endOfLog(t.database))
  await write()
  const gate = Promise.withResolvers<void>()
  const { replay, render } = replays(
    vi.fn(async (found: EventRow[]) => {
      await gate.promise
      return found.map(() => [])
    }),
  )
  const [first, second] = [returning(), returning()]
  const one = replay({ socket: first.socket, cursor })
  await vi.waitFor(() => expect(render).toHaveBeenCalledOnce(), 20_000)
  await write()
  const other = replay({ socket: second.socket, cursor })
  gate.resolve()
  await Promise.all([one, other])
  expect(first.reported).toEqual(['1', 'resumed'])
  expect(second.reported).toEqual(['1', '2', 'resumed'])
})

test('an invalid, trimmed or too old cursor gets a resync, and the others their events', async () => {
  await write()
  const cursor = formatCursor(await endOfLog(t.database))
  const { replay, reasons } = replays()
  const good = returning()
  await Promise.all([
    replay({ socket: returning().socket, cursor: 'none' }),
    replay({ socket: returning().socket, cursor: '1.1' }),
    replay({ socket: good.socket, cursor }),
  ])
  expect(reasons).toEqual(['no_cursor', 'too_old'])
  expect(good.reported.at(-1)).toBe('resumed')
  await t.sql`insert into events (type) select 'n' from generate_series(1, 501)`
  await replay({ socket: returning().socket, cursor })
  expect(reasons.at(-1)).toBe('too_many')
})
