import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { figureBecomes, figureOf, scrapeOf } from '#server/testing/servers/figures.ts'
import { eventually, forAllTests, testApp, type TestApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('admin', 'ana'))

const scrape = () => scrapeOf(t)
const figure = (series: string) => figureOf(t, series)
const becomes = (series: string, isGood: (value: number) => boolean) => figureBecomes(t, series, isGood)
const answered = 'balcao_gateway_answer_seconds_count{kind="sent"}'
/** The number of messages that the gateway has confirmed. */
const answers = async () => (await figure(answered)) ?? 0
const answersReach = (count: number) => becomes(answered, (value) => value === count)
const inboxRow = (values: Record<string, unknown>) => {
  const row = { lane: randomUUID(), attempts: 0, seconds: 0, dead: null, instance: t.instanceId, ...values }
  // not_before keeps the worker from processing it.
  return t.sql`insert into webhook_inbox (instance_id, instance_name, event, dedupe_key, lane, payload,
                                   received_at, not_before, attempts, dead_reason)
        values (${row.instance}::int, 'loja1', 'x', ${randomUUID()}, ${row.lane}, '{}',
                app_now() - ${row.seconds}::int * interval '1 second', now() + interval '1 hour',
                ${row.attempts}::int, ${row.dead}::text)`
}
const open = () => ana.get<Conversation[]>('/api/conversations')
const emptyInbox = () => t.sql`delete from webhook_inbox`
const readiness = async () => {
  const answer = await fetch(`${t.app.url}/readyz`)
  const { troubles } = (await answer.json()) as { troubles: string[] }
  return { status: answer.status, troubles }
}

test('the inbox reports its depth, its age, its stuck lanes and what was put aside', async () => {
  await emptyInbox()
  await becomes('balcao_inbox_waiting', (value) => value === 0)
  expect(await figure('balcao_inbox_oldest_seconds')).toBe(0)
  await inboxRow({ lane: 'new' })
  await inboxRow({ lane: 'failed', attempts: 2 })
  await inboxRow({ lane: 'failed' })
  await inboxRow({ lane: 'old', seconds: 70 })
  await inboxRow({ dead: 'Error: poison' })
  await inboxRow({ instance: null })
  await becomes('balcao_inbox_waiting', (value) => value === 4)
  expect(await figure('balcao_inbox_oldest_seconds')).toBeGreaterThanOrEqual(70)
  expect(await figure('balcao_inbox_stuck_lanes')).toBe(2)
  expect(await figure('balcao_inbox_dead')).toBe(1)
  expect(await figure('balcao_inbox_quarantined')).toBe(1)
  expect(await readiness()).toMatchObject({ status: 200, troubles: [] })
  await inboxRow({ seconds: 130 })
  expect(await readiness()).toMatchObject({ status: 503, troubles: ['inbox'] })
  await emptyInbox()
  expect(await readiness()).toMatchObject({ status: 200, troubles: [] })
})

test('files report how many are still to be fetched, and how many the gateway refuses', async () => {
  t.simulator.control.setFaults({ failMedia: { on: true, oneIn: 1 } })
  const phone = t.simulator.control.createPhone({ name: 'Foto', number: '5511987654399' })
  t.simulator.control.send(phone.id, { kind: 'image', base64: Buffer.from('foto').toString('base64') })
  await becomes('balcao_files_failing', (value) => value === 1)
  expect(await figure('balcao_files_waiting')).toBe(1)
  expect(await figure('balcao_files_oldest_seconds')).toBeGreaterThan(0)
  t.simulator.control.setFaults({ failMedia: { on: false } })
  await becomes('balcao_files_waiting', (value) => value === 0)
  expect(await figure('balcao_files_oldest_seconds')).toBe(0)
  const goodbyes = (await answers()) + 1
  await ana.request('POST', `/api/conversations/${(await open())[0]?.id}/finalize`, {})
  await answersReach(goodbyes)
})

test('the outbox reports how many messages are in each state and how long they wait', async () => {
  const phone = t.simulator.control.createPhone({ name: 'Maria', number: '5511987654321' })
  t.simulator.control.sendText(phone.id, 'oi')
  const [conversation] = await eventually(() => ana.get<Conversation[]>('/api/conversations'), { length: 1 })
  const sent = () =>
    ana.request<{ id: number }>('POST', `/api/conversations/${conversation?.id}/messages`, { content: 'olá' })
  const before = await answers()
  await sent()
  await answersReach(before + 1)
  const states = ['pending', 'sending', 'unknown', 'failed'] as const
  const ids: number[] = []
  for (const _ of states) ids.push((await sent()).body.id)
  await answersReach(before + 1 + states.length)
  await eventually(() => t.sql`select 1 from outbox where state <> 'sent'`, { length: 0 })
  for (const [at, state] of states.entries())
    await t.sql`update outbox set state = ${state}, not_before = now() + interval '1 hour',
                 lease_until = now() + interval '1 hour', unknown_since = app_now(),
                 created_at = app_now() - interval '50 seconds'
           where message_id = ${ids[at]}`
  await becomes('balcao_outbox_messages{state="failed"}', (value) => value === 1)
  for (const state of ['pending', 'sending', 'unknown']) {
    expect(await figure(`balcao_outbox_messages{state="${state}"}`)).toBe(1)
    expect(await figure(`balcao_outbox_oldest_seconds{state="${state}"}`)).toBeGreaterThanOrEqual(50)
  }
  await t.sql`delete from outbox`
  await becomes('balcao_outbox_messages{state="pending"}', (value) => value === 0)
  expect(await figure('balcao_outbox_oldest_seconds{state="pending"}')).toBe(0)
})

test('each number reports whether it is connected and whether its breaker is open', async () => {
  const of = (name: string) => `balcao_gateway_${name}{number="loja1"}`
  await becomes(of('connected'), (value) => value === 1)
  expect(await figure(of('breaker_open'))).toBe(0)
  await t.sql`update evolution_api_config
           set status = 'close', failures = 6, breaker_until = now() + interval '1 minute'`
  await becomes(of('connected'), (value) => value === 0)
  expect(await figure(of('breaker_open'))).toBe(1)
  expect(await figure(of('failures'))).toBe(6)
  await t.sql`update evolution_api_config
           set status = 'open', failures = 0, breaker_until = null, is_active = false`
  await eventually(() => figure(of('connected')), undefined)
  await t.sql`update evolution_api_config set is_active = true`
})

test('the figures count calls, refused webhooks, sockets and connections', async () => {
  const before = (await figure('balcao_webhook_refused_total')) ?? 0
  expect((await t.request('POST', '/api/webhook/evolution', { event: 'x', instance: 'loja1' })).status).toBe(
    401,
  )
  await becomes('balcao_webhook_refused_total', (value) => value === before + 1)
  await t.request('GET', `/api/${randomUUID()}`)
  const metrics = await scrape()
  expect(metrics).toMatch(
    /balcao_http_request_seconds_count\{method="POST",route="\/api\/webhook\/evolution",status="4xx"\} \d/,
  )
  expect(metrics).toMatch(/balcao_http_request_seconds_count\{method="GET",route="none",status="4xx"\} \d/)
  expect(await figure('balcao_sockets')).toBe(0)
  const socket = await connectLive(t.app.url, { token: ana.token })
  await socket.heard('hello')
  expect(await figure('balcao_sockets')).toBe(1)
  await socket.close()
  await becomes('balcao_event_lag_seconds', (value) => value < 5)
  const client = await t.database.pool.connect()
  expect(await figure('balcao_database_connections{state="used"}')).toBeGreaterThanOrEqual(1)
  client.release()
  expect(await figure('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
})

test('an event that an open transaction holds back has an age', async () => {
  await becomes('balcao_event_unsettled_seconds', (value) => value === 0)
  const writer = await t.database.pool.connect()
  await writer.query('begin')
  await writer.query('select pg_current_xact_id()')
  await t.sql`
    insert into events (type, created_at) values ('queue_changed', app_now() - interval '9 seconds')`
  await becomes('balcao_event_unsettled_seconds', (value) => value >= 9)
  await writer.query('rollback')
  writer.release()
  await becomes('balcao_event_unsettled_seconds', (value) => value === 0)
})

test('a hundred who ask at once cost the database one reading a second', async () => {
  let readings = 0
  const startMs = performance.now()
  const { pool } = t.database
  const real = pool.query.bind(pool)
  pool.query = ((...args: Parameters<typeof real>) => {
    if (JSON.stringify(args[0]).includes('received_at < app_now()')) readings++
    return real(...args)
  }) as typeof pool.query
  await Promise.all(Array.from({ length: 100 }, scrape))
  pool.query = real
  expect(readings).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - startMs) / 1000))
})

test('a client from another network finds no figures', async () => {
  const statusOf = (headers: Record<string, string>) =>
    new Promise((resolve) => {
      get(`${t.app.url}/metrics`, { headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
    })
  expect(await statusOf({})).toBe(200)
  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via', 'forwarded'])
    expect([name, await statusOf({ [name]: '203.0.113.9' })]).toEqual([name, 404])
  // A page of a name that was pointed at this machine.
  expect(await statusOf({ host: 'mal.example' })).toBe(404)
  // A proxy that adds no header is known by its configuration.
  for (const change of [{ publicUrl: 'https://atendimento.example' }, { trustProxy: ['10.0.0.1'] }]) {
    const behind = await t.startAnother({ config: { ...t.config, ...change } })
    expect((await fetch(`${behind.url}/metrics`)).status).toBe(404)
    await behind.stop()
  }
})

test('without the database the figures of the process are reported all the same', async () => {
  const ways: Awaited<ReturnType<TestApp['openCuttable']>>[] = []
  const other = await testApp({}, { open: async (db) => (ways[0] = await db.openCuttable()).database })
  const up = async () =>
    /^balcao_database_up (\d)$/m.exec(await (await fetch(`${other.app.url}/metrics`)).text())?.[1]
  expect(await up()).toBe('1')
  ways[0]?.cut()
  await eventually(up, '0')
  ways[0]?.mend()
  await eventually(up, '1')
  await other.close()
})

test('an instance that stops takes no more work', async () => {
  const other = await testApp()
  expect((await fetch(`${other.app.url}/readyz`)).status).toBe(200)
  const stopped = other.app.stop()
  expect((await fetch(`${other.app.url}/readyz`)).status).toBe(503)
  await stopped
  await other.close()
})
