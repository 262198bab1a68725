import { expect, test } from 'vitest'
import { above, eventually, forAllTests, including, testDatabase } from '#server/testing/test-app.ts'

const t = forAllTests(testDatabase)

/** The sessions that listen in this database. */
const listeners = () =>
  t.sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and query = 'listen balcao'`

test('signals are received again after the listening session was lost', async () => {
  const other = t.openAgain()
  const before = await eventually(listeners, { length: 2 })
  let heard = 0
  const off = t.database.signals.on('outbox', () => heard++)
  const reported = async () => {
    const count = heard
    other.signals.send('outbox')
    await eventually(() => heard, above(count))
  }
  await reported()
  await t.sql`select pg_terminate_backend(${before[0]?.pid}), pg_terminate_backend(${before[1]?.pid})`
  await eventually(
    listeners,
    (found) => found.length === 2 && found.every(({ pid }) => !before.some((old) => old.pid === pid)),
  )
  await reported()
  off()
})

test('the last signal of another instance is received', async () => {
  await eventually(listeners, (found) => found.length > 0)
  const leaving = t.openAgain()
  let heard = 0
  const off = t.database.signals.on('inbox', () => heard++)
  const before = heard
  leaving.signals.send('inbox')
  await leaving.signals.close()
  await eventually(() => heard, above(before))
  off()
})

test('an unknown signal of another instance wakes nobody', async () => {
  await eventually(listeners, (found) => found.length > 0)
  const heard: string[] = []
  const offs = [
    t.database.signals.on('events', () => heard.push('events')),
    t.database.signals.on('inbox', () => heard.push('inbox')),
  ]
  for (const words of [
    '',
    'not json',
    'null',
    '{"channels":["events"]}',
    '{"from":"x","channels":["other"]}',
  ])
    await t.sql`select pg_notify('balcao', ${words})`
  await t.sql`select pg_notify('balcao', '{"from":"x","channels":["inbox"]}')`
  await eventually(() => heard, including('inbox'))
  expect(heard).toEqual(['inbox'])
  offs.forEach((off) => off())
})
