import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { findConfig } from '#server/gateway/instances/queries.ts'
import { getSettings } from '#server/settings/settings.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { readGatewayNews } from './gateway-news.ts'
import { checkSilence, findSilent, silenceLimit } from './silence.ts'

let ana: Client
const minuteMs = 60_000

const t = forAllTests(() => testApp({}, { ...withoutJobs, sweepEveryMs: 'never' }))
const clock = forAllTests(() => movableClock(t.database))

beforeAll(async () => {
  ana = await t.signIn('operator')
})
beforeEach(() => t.simulator.control.setFaults({ disconnect: { on: false } }))

test('messages that wait for the gateway are counted until they are sent', async () => {
  const { conversation } = await newTalk(t, ana)
  await t.settled()
  const tab = await connectLive(t.app.url, { token: ana.token })
  tab.send({ type: 'authenticate', data: { userId: ana.userId } })
  expect((await tab.heard('hello')).data).toMatchObject({ waiting: 0, recovered: null })
  t.simulator.control.setFaults({ disconnect: { on: true, state: 'connecting' } })
  await eventually(() => readGatewayNews(t.database), { gatewayConnected: false })
  for (const content of ['um', 'dois', 'três'])
    await ana.request('POST', `/api/conversations/${conversation.id}/messages`, { content })
  const reported = () => tab.frames.findLast((frame) => frame.type === 'gateway_state')?.data
  await eventually(reported, { waiting: 3 })
  t.simulator.control.setFaults({ disconnect: { on: false } })
  await eventually(reported, (data) => data?.waiting === 0 && data.gatewayConnected)
  await tab.terminate()
})

test('what may still be undone, or was written just now, does not wait for the gateway', async () => {
  const { conversation } = await newTalk(t, ana)
  await t.settled()
  await t.sql`insert into outbox (instance_id, conversation_id, message_id, state, not_before)
        select instance_id, conversation_id, id, 'pending', now() + interval '1 hour' from messages
         where conversation_id = ${conversation.id} limit 1`
  await clock.forward(minuteMs)
  expect((await readGatewayNews(t.database)).waiting).toBe(0)
  // A pause after a failure is no undoing.
  await t.sql`update outbox set tries = 1 where not_before > now()`
  expect((await readGatewayNews(t.database)).waiting).toBe(1)
  await t.sql`delete from outbox where not_before > now()`
})

const recover = async (howMany: number) => {
  const at = new Date((await clock.now()).getTime() - 5 * minuteMs).toISOString()
  const phone = t.simulator.control.createPhone({ name: `Tarde ${howMany}` })
  for (let n = 0; n < howMany; n++) t.simulator.control.send(phone.id, { kind: 'text', text: `${n}`, at })
  await t.settled()
}
const reported = async () => (await readGatewayNews(t.database)).recovered

test('late messages are counted as one recovery for half an hour', async () => {
  await recover(3)
  await clock.forward(8 * minuteMs)
  await recover(4)
  const now = await clock.now()
  const recovered = await reported()
  expect(recovered?.count).toBe(7)
  expect(Math.abs(Date.parse(recovered?.until ?? '') - now.getTime())).toBeLessThan(20_000)
  await clock.forward(29 * minuteMs)
  expect((await reported())?.count).toBe(7)
  await clock.forward(2 * minuteMs)
  expect(await reported()).toBeNull()
  await recover(2)
  expect((await reported())?.count).toBe(2)
})

describe('a number that is silent', () => {
  test.each([
    ['a busy one', { events: 5000, openMs: 50 * 60 * minuteMs }, 15],
    ['a usual one', { events: 1000, openMs: 50 * 60 * minuteMs }, 60],
    ['a quiet one', { events: 10, openMs: 50 * 60 * minuteMs }, 240],
    ['one that never had an event', { events: 0, openMs: 50 * 60 * minuteMs }, Infinity],
  ])('%s is suspect after its own time', (_what, usual, minutes) => {
    expect(silenceLimit(usual)).toBe(minutes * minuteMs)
  })

  const calls = { restart: 0, answer: true }
  const check = async (state: 'open' | 'close' = 'open') => {
    const config = await findConfig(t.database, t.instanceId)
    if (!config) throw new Error('no number')
    const client = {
      connectionState: () => Promise.resolve(state),
      restart: () => {
        calls.restart++
        return Promise.resolve(calls.answer)
      },
    }
    const { database } = t
    const parts = { database, client, secrets: t.app.secrets, log: createLog('silent') }
    const before = calls.restart
    await checkSilence(parts, config, await getSettings(database), 10 * 3_600_000)
    return calls.restart - before
  }
  /** Thursday 2026-12-03, 10:00 in São Paulo. */
  const morning = new Date('2026-12-03T13:00:00Z')
  const weekOfEvents = async () => {
    // Those of other tests came at the time of the machine.
    await t.sql`delete from webhook_inbox`
    await t.sql`insert into webhook_inbox (instance_id, instance_name, event, dedupe_key, lane, payload,
                                     received_at, processed_at)
          select ${t.instanceId}::int, 'loja1', 'test.silence', 'silence:' || n, 'silence', '{}',
                 app_now() - n * interval '2 minutes', app_now() from generate_series(1, 4000) n`
    await t.sql`update evolution_api_config set restarted_at = null, silent_since = null, troubled_at = null,
                 last_connected_at = app_now() - interval '2 days',
                 created_at = app_now() - interval '30 days'`
  }

  test('a number that is silent in working hours is restarted once', async () => {
    await clock.set(morning)
    await weekOfEvents()
    expect(await check()).toBe(0)
    await clock.forward(30 * minuteMs)
    expect((await Promise.all([check(), check()])).some((times) => times > 0)).toBe(true)
    expect(calls.restart).toBe(1)
    const [silent] = await findSilent(t.database)
    expect(silent).toMatchObject({ instanceName: 'loja1', isRestartFailed: false })
    const silentMs = (silent?.restartedAt.getTime() ?? 0) - (silent?.silentSince.getTime() ?? 0)
    expect(Math.round(silentMs / minuteMs)).toBe(32)
    // It did not help, and is not repeated at once.
    await clock.forward(30 * minuteMs)
    expect(await check()).toBe(0)
    await clock.forward(31 * minuteMs)
    expect(await findSilent(t.database)).toEqual([])
    calls.answer = false
    expect(await check()).toBe(1)
    calls.answer = true
    expect(await findSilent(t.database)).toMatchObject([{ isRestartFailed: true }])
  })

  test('a number that is silent at night is not restarted', async () => {
    // 22:00 on the Sunday before.
    await clock.set(new Date('2026-11-30T01:00:00Z'))
    await weekOfEvents()
    await clock.forward(60 * minuteMs)
    expect(await check()).toBe(0)
    await clock.set(morning)
    await weekOfEvents()
    await clock.forward(30 * minuteMs)
    expect(await check('close')).toBe(0)
    await t.sql`update evolution_api_config set troubled_at = app_now()`
    expect(await check()).toBe(0)
  })

  test('a restarted number is opened again by the gateway, and connected', async () => {
    const config = await findConfig(t.database, t.instanceId)
    if (!config) throw new Error('no number')
    const instance = { ...config, apiKey: t.app.secrets.decrypt(config.apiKeyEncrypted) }
    expect(await t.app.gateway.client.restart(instance)).toBe(true)
    await eventually(() => t.app.gateway.client.connectionState(instance), 'open')
    t.simulator.control.setFaults({ disconnect: { on: true, state: 'close' } })
    expect(await t.app.gateway.client.restart(instance)).toBe(false)
  })
})
