import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Notice, NoticeFact, NoticeKind } from '#shared/notices/notices.ts'
import { readConfig } from '#server/platform/config.ts'
import { given } from '#server/testing/given.ts'
import { type LiveClient, tabsOfTests } from '#server/testing/live-client.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import {
  above,
  type Client,
  eventually,
  forAllTests,
  not,
  requestTo,
  testApp,
  withoutJobs,
} from '#server/testing/test-app.ts'
import { type DiskSpace, findLocal, isDiskLow, measureDisk } from './conditions.ts'
import { recordConditions, trimNotices } from './record-conditions.ts'

const gibibyte = 1024 ** 3
const roomy: DiskSpace = { free: 500 * gibibyte, total: 1000 * gibibyte }
let disk = roomy
let looked = 0
const look = () => {
  looked++
  return Promise.resolve(disk)
}

const notices = { everyMs: 30, measureDisk: look }
const t = forAllTests(() => testApp({}, { ...withoutJobs, notices }))
const clock = forAllTests(() => movableClock(t.database))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const openTab = tabsOfTests()
const tabOf = (who: Client) => openTab(t.app, who)
const reportedOf = (tab: LiveClient) => tab.frames.filter(({ type }) => type === 'notices_changed').length

const shownTo = (who: Client) => who.get<Notice[]>('/api/notices')
const find = async (kind: NoticeKind, who = chefe) =>
  (await shownTo(who)).find(({ fact }) => fact.kind === kind)
const begins = async (kind: NoticeKind) => {
  const notice = await eventually(() => find(kind), not(undefined))
  if (!notice) throw new Error(`no ${kind}`)
  return notice
}
const ends = (kind: NoticeKind) => eventually(() => find(kind), undefined)
const minuteMs = 60_000
/** The notice of a trouble that is none before so long. */
const beginsAfter = async (ms: number, kind: NoticeKind) => {
  await looks()
  expect(await find(kind)).toBeUndefined()
  await clock.forward(ms + 1000)
  return begins(kind)
}
/** Waits for the end of a look that begins after this call. */
const looks = async () => {
  const before = looked
  await eventually(() => looked, above(before + 2))
}
const dismiss = (who: Client, { id }: Notice) => who.request('POST', `/api/notices/${id}/dismiss`)
const disconnect = (on: boolean) => t.simulator.control.setFaults({ disconnect: { on } })
const statusIs = (wanted: string) =>
  eventually(() => t.sql`select status from evolution_api_config`, { 0: { status: wanted } })

test('administrators are notified of an absent number after half a minute', async () => {
  const [tab, other] = [await tabOf(chefe), await tabOf(await t.signIn('operator'))]
  disconnect(true)
  await statusIs('close')
  const notice = await beginsAfter(minuteMs / 2, 'gateway_away')
  expect(notice.fact).toEqual({ kind: 'gateway_away', instanceName: 'loja1', state: 'close' })
  await tab.heard('notices_changed')
  const reported = reportedOf(tab)
  disconnect(false)
  await ends('gateway_away')
  await eventually(() => reportedOf(tab), above(reported))
  expect(reportedOf(other)).toBe(0)
})

test('a number that comes and goes is the same trouble for ten minutes', async () => {
  const away = async () => {
    disconnect(true)
    await statusIs('close')
    await looks()
    await clock.forward(31_000)
    return begins('gateway_away')
  }
  const back = async () => {
    disconnect(false)
    await ends('gateway_away')
  }
  await clock.forward(11 * minuteMs)
  const first = await away()
  await back()
  await clock.forward(5 * minuteMs)
  expect(await away()).toMatchObject({ id: first.id, since: first.since })
  await back()
  await clock.forward(11 * minuteMs)
  expect((await away()).id).not.toBe(first.id)
  await back()
})

test('refused webhooks are counted over all instances, since the first', async () => {
  const other = await t.startAnother()
  const before = await clock.now()
  const post = (url: string) =>
    requestTo(url, 'POST', '/api/webhook/evolution', {}, { authorization: 'Bearer not-ours' })
  for (const url of [t.app.url, other.url]) expect((await post(url)).status).toBe(401)
  await looks()
  expect(await find('webhooks_refused')).toBeUndefined()
  // What is not written yet is not lost.
  await other.stop()
  for (let n = 0; n < 3; n++) await post(t.app.url)
  await eventually(
    async () => (await find('webhooks_refused'))?.fact,
    (fact) => fact !== undefined && 'count' in fact && fact.count === 5,
  )
  const { since } = await begins('webhooks_refused')
  expect(Date.parse(since)).toBeGreaterThanOrEqual(before.getTime() - 1)
  expect(Date.parse(since)).toBeLessThanOrEqual((await clock.now()).getTime())
  await clock.forward(11 * minuteMs)
  await ends('webhooks_refused')
  // They have nothing to do with the ones before.
  await post(t.app.url)
  const counts = () => t.sql<{ count: number }>`select count from webhook_refusals`
  await eventually(counts, ([row]) => row?.count === 1)
  expect(await find('webhooks_refused')).toBeUndefined()
})

describe('a queue of a sector from which nobody can take', () => {
  /** The clock is moved ahead, and people of a sector ask for the password of the last ten minutes. */
  const confirm = () => t.sql`update sessions set confirmed_at = app_now() where user_id = ${chefe.userId}`
  const sector = async (name: string, people: { userId: number; isLead: boolean }[] = []) => {
    await confirm()
    const body = { name, color: '#2563eb', people }
    return (await chefe.request<{ id: number }>('POST', '/api/sectors', body)).body.id
  }
  const waitsIn = async (sectorId: number) => {
    const { id } = await given.conversation(t, chefe)
    await t.sql`update conversations set sector_id = ${sectorId} where id = ${id}`
    return id
  }
  const people = async (sectorId: number, ...who: { userId: number; isLead: boolean }[]) => {
    await confirm()
    return chefe.request('PATCH', `/api/sectors/${sectorId}`, { people: who })
  }

  test('is told to administrators and managers after a minute, until somebody is in it', async () => {
    const [manager, ana] = [await t.signIn('supervisor'), await t.signIn('operator')]
    const empty = await sector('Cobrança')
    const lead = await t.signIn('operator')
    await sector('Outro', [{ userId: lead.userId, isLead: true }])
    const waiting = await waitsIn(empty)
    const notice = await beginsAfter(minuteMs, 'queue_unserved')
    expect(notice.fact).toEqual({
      kind: 'queue_unserved',
      sectorId: empty,
      sectorName: 'Cobrança',
      count: 1,
    })
    expect(await find('queue_unserved', manager)).toEqual(notice)
    expect(await shownTo(manager)).toHaveLength(1)
    // Of another sector's leads nobody can do anything about it.
    expect(await shownTo(lead)).toEqual([])
    expect((await dismiss(lead, notice)).status).toBe(404)
    expect((await ana.request('GET', '/api/notices')).status).toBe(403)
    await people(empty, { userId: ana.userId, isLead: false })
    await ends('queue_unserved')
    await people(empty)
    await beginsAfter(minuteMs, 'queue_unserved')
    await t.sql`update conversations set assigned_user_id = ${ana.userId}, sub_status = 'OPERADOR',
                       status = 'active' where id = ${waiting}`
    await ends('queue_unserved')
  })

  test('is told to its lead, who has not got the number of it', async () => {
    const lead = await t.signIn('operator')
    const id = await sector('Suporte', [{ userId: lead.userId, isLead: true }])
    await waitsIn(id)
    await looks()
    await clock.forward(2 * minuteMs)
    await looks()
    expect(await find('queue_unserved')).toBeUndefined()
    const tab = await tabOf(lead)
    await t.sql`update users set number_ids = '{}' where id = ${lead.userId}`
    const { fact } = await beginsAfter(minuteMs, 'queue_unserved')
    expect(fact).toMatchObject({ sectorId: id })
    await tab.heard('notices_changed')
    expect(await shownTo(lead)).toMatchObject([{ fact }])
    expect((await dismiss(lead, await begins('queue_unserved'))).status).toBe(204)
    expect(await shownTo(lead)).toEqual([])
  })

  test.each([
    ['is blocked', 'is_blocked = true'],
    ['is inactive', 'is_active = false'],
    ['was deleted', 'deleted_at = now()'],
  ])('is told when the only one of it %s', async (_what, change) => {
    const ana = await t.signIn('operator')
    const id = await sector(`De ${ana.userId}`, [{ userId: ana.userId, isLead: false }])
    await waitsIn(id)
    await t.sql`${sql.raw(`update users set ${change} where id = ${ana.userId}`)}`
    await looks()
    await clock.forward(2 * minuteMs)
    await eventually(
      () => shownTo(chefe),
      (shown) => shown.some(({ fact }) => fact.kind === 'queue_unserved' && fact.sectorId === id),
    )
  })
})

test('a webhook that cannot be processed is reported after a minute', async () => {
  await t.sql`
    insert into webhook_inbox (instance_id, instance_name, event, dedupe_key, lane, payload, attempts,
                                   not_before)
        values (${t.instanceId}::int, 'loja1', 'x', ${randomUUID()}, 'stuck', '{}', 1,
                now() + interval '1 hour')`
  expect((await beginsAfter(minuteMs, 'inbox_stuck')).fact).toEqual({ kind: 'inbox_stuck', count: 1 })
  await t.sql`delete from webhook_inbox where lane = 'stuck'`
  await ends('inbox_stuck')
})

test('events that cannot be read are reported at once, and listed until they are read again', async () => {
  const key = { remoteJid: '5541977710003@people.example' }
  const body = JSON.stringify({ data: { key, pushName: 'Rita' } })
  await t.sql`
    insert into webhook_inbox (instance_id, instance_name, event, dedupe_key, lane, payload, attempts,
                               dead_reason)
        values (${t.instanceId}::int, 'loja1', 'messages.upsert', ${randomUUID()}, 'aside', ${body}::jsonb, 5,
                'unknown address'),
               (${t.instanceId}::int, 'loja1', 'x', ${randomUUID()}, 'erased:1', '{}', 5, 'erased')`
  expect((await begins('events_set_aside')).fact).toEqual({ kind: 'events_set_aside', count: 1 })
  const path = '/api/evolution-config/set-aside'
  expect(await chefe.get(path)).toMatchObject({
    total: 1,
    events: [
      {
        instanceName: 'loja1',
        address: '5541977710003@people.example',
        name: 'Rita',
        reason: 'unknown address',
      },
    ],
  })
  expect(await chefe.request('POST', `${path}/retry`)).toMatchObject({ status: 200, body: { count: 1 } })
  await eventually(() => chefe.get(path), { total: 0 })
  await ends('events_set_aside')
  expect(await t.sql`select action, details from audit_logs order by id desc limit 1`).toEqual([
    { action: 'gateway.retry', details: { count: 1 } },
  ])
})

describe('sends', () => {
  /** Answers a new client; the test then changes the rows of the outbox. */
  const sendSome = async (howMany: number) => {
    const talk = await given.conversation(t, chefe)
    for (let n = 0; n < howMany; n++)
      await chefe.request('POST', `/api/conversations/${talk.id}/messages`, { content: `olá ${n}` })
    await t.settled()
    return t.sql<{ id: number; messageId: number }>`select o.id, o.message_id as "messageId" from outbox o
           where o.conversation_id = ${talk.id} and o.priority = 0 order by o.id`
  }

  test('sends that stay unconfirmed for two minutes are notified', async () => {
    const [send] = await sendSome(1)
    await t.sql`update outbox set state = 'unknown', unknown_since = app_now(),
                 lease_until = now() + interval '1 hour'
           where id = ${send?.id}`
    expect((await beginsAfter(2 * minuteMs, 'sends_unconfirmed')).fact).toEqual({
      kind: 'sends_unconfirmed',
      count: 1,
    })
    await t.sql`update outbox set state = 'sent' where id = ${send?.id}`
    await ends('sends_unconfirmed')
  })

  test('three failed sends are notified, unless the reason is the message', async () => {
    const sends = await sendSome(4)
    const fail = async (at: number, reason: string) => {
      const { id, messageId } = sends[at] ?? {}
      await t.sql`update outbox set state = 'failed' where id = ${id}`
      await t.sql`update messages set failure_reason = ${reason} where id = ${messageId}`
    }
    await fail(0, 'not_on_whatsapp')
    await fail(1, 'unconfirmed')
    await fail(2, 'gateway_refused_key')
    await looks()
    expect(await find('sends_failed')).toBeUndefined()
    await fail(3, 'unconfirmed')
    expect((await begins('sends_failed')).fact).toEqual({ kind: 'sends_failed', count: 3 })
    await clock.forward(16 * minuteMs)
    await ends('sends_failed')
  })
})

test('sends that no phone acknowledges are reported from five contacts on, unless one is', async () => {
  await t.settled()
  const sent = () =>
    t.sql<{ id: number }>`
      select m.id from outbox o join messages m on m.id = o.message_id where o.state = 'sent'`
  await t.sql`delete from outbox`
  for (let n = 0; n < 5; n++) {
    const conversation = await given.conversation(t, chefe)
    const path = `/api/conversations/${conversation.id}/messages`
    await chefe.request('POST', path, { content: 'chegou?' })
  }
  await t.settled()
  await eventually(sent, (all) => all.length >= 5)
  await eventually(
    () => t.sql`select 1 from messages where delivery_status = 'sent' and sender_id is not null`,
    { length: 0 },
  )
  const setStatus = (status: string, limit: number) =>
    t.sql`update messages set delivery_status = ${status} where id in
            (select message_id from outbox where state = 'sent' order by id limit ${limit})`
  await setStatus('sent', 100)
  expect((await beginsAfter(11 * minuteMs, 'sends_undelivered')).fact).toEqual({
    kind: 'sends_undelivered',
    count: 5,
  })
  await setStatus('delivered', 1)
  await ends('sends_undelivered')
})

test('a silent connection that was restarted is reported for an hour', async () => {
  const now = await clock.now()
  const silentSince = new Date(now.getTime() - 40 * minuteMs)
  await t.sql`update evolution_api_config
           set silent_since = ${silentSince.toISOString()}, restarted_at = app_now()`
  const notice = await begins('gateway_silent')
  expect(notice.fact).toEqual({
    kind: 'gateway_silent',
    instanceName: 'loja1',
    silentSince: silentSince.toISOString(),
    isRestarted: true,
  })
  expect(Math.abs(Date.parse(notice.since) - now.getTime())).toBeLessThan(5000)
  await clock.forward(61 * minuteMs)
  await ends('gateway_silent')
})

test.each([
  ['a tenth of a small disk', { free: 3 * gibibyte, total: 40 * gibibyte }, true],
  ['more than a tenth', { free: 5 * gibibyte, total: 40 * gibibyte }, false],
  ['less than 2 GiB', { free: 1.9 * gibibyte, total: 8 * gibibyte }, true],
  ['plenty, though less than a tenth', { free: 30 * gibibyte, total: 1000 * gibibyte }, false],
])('whether a disk with %s free counts as low', (_what, space, isLow) => expect(isDiskLow(space)).toBe(isLow))

test('the free space of the disk is measured', async () => {
  const { free, total } = await measureDisk(t.config.dataDir)
  expect(free).toBeGreaterThan(0)
  expect(total).toBeGreaterThanOrEqual(free)
})

test('a nearly full disk is notified after a minute, with its machine', async () => {
  disk = { free: 1.25 * gibibyte, total: 40 * gibibyte }
  const { fact } = await beginsAfter(minuteMs, 'disk_low')
  expect(fact).toEqual({ kind: 'disk_low', host: hostname(), freeBytes: 1200 * 1024 ** 2 })
  disk = roomy
  await ends('disk_low')
})

test('the disk of a machine that is gone is no longer notified', async () => {
  const fact: NoticeFact = { kind: 'disk_low', host: 'other', freeBytes: 0 }
  await recordConditions(t.database, [{ subject: 'other /data', fact }], 'other /data')
  await clock.forward(61_000)
  await recordConditions(t.database, [{ subject: 'other /data', fact }], 'other /data')
  await looks()
  expect((await begins('disk_low')).fact).toEqual(fact)
  await clock.forward(2 * minuteMs)
  await ends('disk_low')
})

test.each([
  ['nothing', {}, false, true],
  ['http://', { PUBLIC_URL: 'http://balcao.example' }, false, true],
  ['https://', { PUBLIC_URL: 'https://balcao.example' }, false, false],
  ['nothing, in the demonstration', {}, true, false],
])('with PUBLIC_URL %s sessions travel unprotected or not', (_what, env, isDemo, isReported) => {
  const config = readConfig({ DATA_DIR: '/tmp', ...env }, isDemo)
  expect(findLocal(config, roomy).some(({ fact }) => fact.kind === 'plain_http')).toBe(isReported)
})

test('a dismissed notice is gone for that person alone, for a day', async () => {
  const other = await t.signIn('admin')
  const notice = await begins('plain_http')
  const tab = await tabOf(chefe)
  const reported = reportedOf(tab)
  expect((await dismiss(chefe, notice)).status).toBe(204)
  await eventually(() => reportedOf(tab), above(reported))
  expect(await find('plain_http')).toBeUndefined()
  expect(await find('plain_http', other)).toMatchObject({ id: notice.id })
  // In steps that no session sleeps through.
  for (let hours = 0; hours < 24; hours += 6) {
    expect(await find('plain_http')).toBeUndefined()
    await clock.forward(6 * 60 * minuteMs)
  }
  expect(await begins('plain_http')).toMatchObject({ id: notice.id, since: notice.since })
  expect((await dismiss(chefe, notice)).status).toBe(204)
  expect(await find('plain_http')).toBeUndefined()
  await t.sql`delete from notice_dismissals`
})

test('a dismissed notice is shown again when the trouble is a new one', async () => {
  const low = async () => {
    disk = { free: gibibyte, total: 40 * gibibyte }
    await looks()
    await clock.forward(61_000)
    await looks()
  }
  const enough = async () => {
    disk = roomy
    await looks()
  }
  await low()
  const first = await begins('disk_low')
  await dismiss(chefe, first)
  await enough()
  await clock.forward(5 * minuteMs)
  await low()
  expect(await find('disk_low')).toBeUndefined()
  await enough()
  await clock.forward(11 * minuteMs)
  await low()
  expect((await begins('disk_low')).id).not.toBe(first.id)
  await enough()
})

test('a notice to be dismissed must exist', async () => {
  expect(await chefe.request('POST', '/api/notices/999999/dismiss')).toMatchObject({
    status: 404,
    body: { code: 'request.not_found' },
  })
})

test('a kind of a later version is left out', async () => {
  await t.sql`insert into notices (kind, subject, fact, shown_at, seen_at)
        values ('moon_full', '', '{"kind": "moon_full"}', app_now(), app_now())`
  const kinds = (await shownTo(chefe)).map(({ fact }) => fact.kind)
  expect(kinds).not.toContain('moon_full')
  expect(kinds).toContain('plain_http')
})

test('occurrences are kept for a month, with who has dismissed them', async () => {
  const count = async (table: string) =>
    (await t.sql<{ n: number }>`select count(*)::int as n from ${sql.identifier(table)}`)[0]?.n
  await dismiss(chefe, await begins('plain_http'))
  await t.sql`update notices set ended_at = app_now() where kind <> 'plain_http'`
  expect(await count('notices')).toBeGreaterThan(1)
  await clock.forward(31 * 24 * 60 * minuteMs)
  await trimNotices(t.database)
  const left = await t.sql<{ kind: string }>`select distinct kind from notices`
  expect(left.map(({ kind }) => kind)).toEqual(['plain_http'])
  expect(await count('notice_dismissals')).toBe(1)
})
