import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { rows } from '#server/platform/database/db.ts'
import { type Client, eventually, testApp, type TestApp, withoutJobs } from '#server/testing/test-app.ts'

let t: TestApp
let ana: Client

beforeAll(async () => {
  t = await testApp({}, withoutJobs)
  ana = await t.signIn('operator')
})
afterAll(() => t.close())

const states = async () =>
  (
    await rows<{ state: string }>(
      t.database,
      sql`select distinct state from outbox where state <> 'cancelled'`,
    )
  ).map((row) => row.state)

test('what was written in an hour without the gateway arrives once, in order, when it is back', async () => {
  const phones = ['ana', 'bia', 'caio'].map((name, n) =>
    t.simulator.control.createPhone({ name, number: `5511987000${n}00` }),
  )
  for (const phone of phones) t.simulator.control.sendText(phone.id, 'oi')
  const open = await eventually(
    async () => (await ana.request<Conversation[]>('GET', '/api/conversations')).body,
    (found) => found.length === phones.length,
  )
  await t.database.execute(sql`update evolution_api_config set base_url = 'http://127.0.0.1:1'`)
  const texts = ['um', 'dois', 'três', 'quatro']
  for (const content of texts)
    for (const { id } of open) {
      const answer = await ana.request('POST', `/api/conversations/${id}/messages`, { content })
      expect(answer.status).toBe(201)
    }
  await eventually(
    () => rows(t.database, sql`select failures from evolution_api_config`),
    ([row]) => Number(row?.['failures']) >= 3,
  )
  // Advances the product's clock by an hour.
  await t.database.execute(
    sql`create or replace function app_now() returns timestamptz language sql stable parallel safe as
        $$ select now() + interval '1 hour' $$`,
  )
  expect(await eventually(states, (found) => !found.includes('sending'))).toEqual(['pending'])
  await t.database.execute(
    sql`update evolution_api_config set base_url = ${t.simulator.url}, failures = 0, breaker_until = null`,
  )
  await t.database.execute(sql`update outbox set not_before = now()`)
  t.database.signals.send('outbox')
  await eventually(states, (found) => found.length === 1 && found[0] === 'sent', 15_000)
  const { received } = t.simulator.control.oracle()
  for (const { id } of phones)
    expect(received.filter((entry) => entry.phone === id).map((entry) => entry.text)).toEqual(texts)
})
