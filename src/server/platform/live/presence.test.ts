import { afterEach, expect, test, vi } from 'vitest'
import { above, eventually, forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { createLog } from '#server/platform/log.ts'
import { createPresence, listPresence, type Presence } from './presence.ts'

const made: Presence[] = []

const t = forAllTests(testDatabase)
afterEach(async () => {
  await Promise.all(made.splice(0).map((presence) => presence.stop()))
  await t.sql`delete from presence`
})

const newPresence = () => {
  const presence = createPresence(t.database, createLog('silent'))
  made.push(presence)
  return presence
}
const written = () =>
  t.sql<{ id: string; userId: number; idleSeconds: number }>`select connection_id as id, user_id as "userId",
               extract(epoch from now() - last_input_at)::float8 as "idleSeconds" from presence
              where left_at is null order by 1`
const ids = async () => (await written()).map((row) => row.id)
const areWritten = (...expected: string[]) => eventually(ids, (found) => found.join() === expected.join())

test('a thousand who come at once are written in a handful of statements', async () => {
  const presence = newPresence()
  const statements = vi.spyOn(t.database, 'execute')
  for (let n = 0; n < 1000; n++) presence.joined(`c${String(n).padStart(4, '0')}`, n, 1)
  await eventually(ids, { length: 1000 })
  const inserts = statements.mock.calls.filter(([statement]) => JSON.stringify(statement).includes('insert'))
  statements.mockRestore()
  expect(inserts.length).toBeLessThan(10)
})

test('a person who leaves before they were written leaves no row', async () => {
  const presence = newPresence()
  presence.joined('stays', 1, 1)
  for (let n = 0; n < 20; n++) {
    presence.joined(`quick${n}`, 2, 1)
    presence.left(`quick${n}`)
  }
  await areWritten('stays')
  expect([...(await listPresence(t.database)).keys()]).toEqual([1])
})

test('a removed row is written again at the next heartbeat, with the time of the last input', async () => {
  const presence = newPresence()
  presence.joined('a', 1, 1)
  await areWritten('a')
  await t.sql`delete from presence`
  await presence.beat()
  await areWritten('a')
  expect((await written())[0]?.idleSeconds).toBeGreaterThan(0)
})

test('a row whose end could not be written goes at the next beat', async () => {
  const presence = newPresence()
  presence.joined('a', 1, 1)
  await areWritten('a')
  const failing = vi.spyOn(t.database, 'update').mockImplementationOnce(() => {
    throw new Error('the database is away')
  })
  presence.left('a')
  await eventually(() => failing.mock.calls.length, above(0))
  failing.mockRestore()
  expect(await ids()).toEqual(['a'])
  await presence.beat()
  expect(await ids()).toEqual([])
})

test('rows of a dead process are ignored, and removed by another one some time later', async () => {
  const [dead, living] = [newPresence(), newPresence()]
  dead.joined('dead', 1, 1)
  living.joined('living', 2, 1)
  await areWritten('dead', 'living')
  await t.sql`update presence set heartbeat_at = now() - interval '91 seconds' where connection_id = 'dead'`
  expect([...(await listPresence(t.database)).keys()]).toEqual([2])
  await living.beat()
  // Until the record of working days has what they say.
  expect(await ids()).toEqual(['dead', 'living'])
  await t.sql`update presence set heartbeat_at = now() - interval '21 minutes' where connection_id = 'dead'`
  await living.beat()
  expect(await ids()).toEqual(['living'])
})

test('an input is reported to others when the person was idle, and only then', async () => {
  const presence = newPresence()
  presence.joined('a', 1, 1)
  await areWritten('a')
  const send = vi.spyOn(t.database.signals, 'send')
  const written = vi.spyOn(t.database, 'execute')
  const clock = vi.spyOn(performance, 'now')
  const startMs = performance.now()
  const inputAfter = async (ms: number) => {
    written.mockClear()
    clock.mockReturnValue(startMs + ms)
    presence.active('a')
    await vi.waitFor(() => expect(written).toHaveBeenCalled())
    await Promise.all(written.mock.results.map(({ value }) => value as unknown))
    await new Promise(setImmediate)
    return send.mock.calls.length
  }
  expect([await inputAfter(60_000), await inputAfter(15 * 60_000)]).toEqual([0, 0])
  expect(await inputAfter(31 * 60_000)).toBe(1)
  vi.restoreAllMocks()
})

test('an instance that stops takes its rows with it, and no others', async () => {
  const [one, other] = [newPresence(), newPresence()]
  one.joined('one', 1, 1)
  other.joined('other', 2, 1)
  await areWritten('one', 'other')
  await one.stop()
  expect(await ids()).toEqual(['other'])
})

test('after a standstill a socket counts from then on: nobody knows what was in between', async () => {
  const presence = newPresence()
  presence.joined('a', 1, 1)
  await areWritten('a')
  const span = () =>
    t.sql`select extract(epoch from now() - connected_at) < 60 as "isNew",
                 extract(epoch from now() - heartbeat_at) < 60 as "isFresh" from presence`
  await t.sql`update presence set connected_at = now() - interval '4 hours', heartbeat_at = now()`
  await presence.beat()
  expect(await span()).toEqual([{ isNew: false, isFresh: true }])
  await t.sql`update presence set heartbeat_at = now() - interval '3 hours'`
  await presence.beat()
  expect(await span()).toEqual([{ isNew: true, isFresh: true }])
})
