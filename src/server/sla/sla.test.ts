import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ReportGroups, ReportPage } from '#shared/reports/report-parts.ts'
import type { ReportStats } from '#shared/reports/reports.ts'
import type { SlaTarget } from '#shared/sla/sla.ts'
import { recordFailed } from '#server/conversations/messages/sent.ts'
import { returnFromHold } from '#server/conversations/snoozing/returns.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { computeFacts } from '#server/reports/facts-worker.ts'
import { verifyReports } from '#server/reports/verify.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { createClockKeeper } from './keeper.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const whole = {
  workingHours: { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
}
const general = { sectorId: null, categoryId: null }
const setTargets = (...targets: Partial<SlaTarget>[]) =>
  chefe.request<{ targets: SlaTarget[]; version: string; message?: string }>('PUT', '/api/sla-targets', {
    targets: targets.map((one) => ({ ...general, replyMinutes: null, endMinutes: null, ...one })),
  })
let keeper: ReturnType<typeof createClockKeeper>
beforeAll(() => void (keeper = createClockKeeper(t.database)))
/** Passes as long as there is more. What triggers have named must be all that a comparison of all finds. */
async function keep() {
  while (await keeper('wait'));
  const computedFrom = () => t.sql`select conversation_id, seen, is_over from sla_clocks order by 1`
  const named = await computedFrom()
  const ofAll = createClockKeeper(t.database)
  while (await ofAll('wait'));
  expect(await computedFrom()).toEqual(named)
}
const read = (id: number) => chefe.get<Conversation>(`/api/conversations/${id}`)
const leftOf = ({ sla }: Conversation) => sla && Math.round((Date.parse(sla.dueAt) - Date.now()) / 60_000)

async function newOf(who: Client) {
  await chefe.request('PATCH', '/api/system-settings', whole)
  const talk = await newTalk(t, who)
  const { id } = talk.conversation
  await who.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: who.userId })
  return { ...talk, id }
}
/** It began earlier. */
const age = (id: number, minutes: number) =>
  t.sql`with c as (update conversations set started_at = started_at - ${minutes} * interval '1 minute',
                          waiting_since = waiting_since - ${minutes} * interval '1 minute' where id = ${id})
        update messages set sort_at = sort_at - ${minutes} * interval '1 minute'
         where conversation_id = ${id}`
const toldOf = async (who: Client) =>
  (
    await who.get<{ notifications: { kind: string; about: { conversationId: number } | null }[] }>(
      '/api/notifications?tab=updates',
    )
  ).notifications.filter(({ kind }) => kind.startsWith('sla'))

test('the clock of a first reply runs until somebody answers, and is told once before its end', async () => {
  await setTargets({ replyMinutes: 20 })
  const { id } = await newOf(ana)
  await age(id, 10)
  await keep()
  expect(leftOf(await read(id))).toBe(10)
  expect(await toldOf(ana)).toEqual([])
  await age(id, 6)
  await keep()
  expect(leftOf(await read(id))).toBe(4)
  await keep()
  expect((await toldOf(ana)).map(({ kind, about }) => [kind, about?.conversationId])).toEqual([
    ['sla_reply', id],
  ])
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não?' })
  await keep()
  expect((await read(id)).sla).toBeUndefined()
  const [kept] = await t.sql`select reply_kept as kept, (reply_run_ms / 60000)::int as minutes from sla_clocks
                              where conversation_id = ${id}`
  expect(kept).toEqual({ kept: true, minutes: 16 })
})

test('what is late when targets are set is shown as broken, and told to nobody', async () => {
  await setTargets()
  const before = (await toldOf(ana)).length
  const { id } = await newOf(ana)
  await age(id, 60)
  await setTargets({ replyMinutes: 20 })
  await keep()
  expect(leftOf(await read(id))).toBe(-40)
  expect(await toldOf(ana)).toHaveLength(before)
  await setTargets()
  await keep()
  expect((await read(id)).sla).toBeUndefined()
})

test('on hold, and while the client has the word, the clock of the end rests', async () => {
  await setTargets({ endMinutes: 60 })
  const { id, phoneId } = await newOf(ana)
  await keep()
  expect((await read(id)).sla?.clock).toBe('end')
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não?' })
  await keep()
  expect((await read(id)).sla).toBeUndefined()
  t.simulator.control.sendText(phoneId, 'e então?')
  await eventually(
    () => read(id),
    ({ waitingFor }) => waitingFor === 'operator',
  )
  await keep()
  expect(leftOf(await read(id))).toBe(60)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await ana.request('PUT', `/api/conversations/${id}/snooze`, { until })
  await keep()
  expect((await read(id)).sla).toBeUndefined()
  await t.sql`update conversations set snoozed_until = app_now() where id = ${id}`
  await returnFromHold(t.database)
  await keep()
  expect(leftOf(await read(id))).toBe(60)
  await ana.request('POST', `/api/conversations/${id}/finalize`, {})
  await keep()
  const [end] =
    await t.sql`select end_kept as kept, is_over as "isOver" from sla_clocks where conversation_id = ${id}`
  expect(end).toEqual({ kept: true, isOver: true })
})

test('a transfer to another sector takes its target from the first word of the client on', async () => {
  const { body: made } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
    name: 'Suporte',
    color: '#0d9488',
  })
  await setTargets({ replyMinutes: 60 }, { sectorId: made.id, replyMinutes: 30 })
  const { id } = await newOf(ana)
  await age(id, 12)
  await keep()
  expect(leftOf(await read(id))).toBe(48)
  await chefe.request('PATCH', `/api/conversations/${id}/sector`, { sectorId: made.id })
  await keep()
  expect(leftOf(await read(id))).toBe(18)
  // With its last sector gone only the general one holds.
  await chefe.request('DELETE', `/api/sectors/${made.id}`, { targetId: null })
  await keep()
  expect([18, 48]).toContain(leftOf(await read(id)))
})

test('a change of what the clocks are computed from is named, and not all are compared', async () => {
  const [vip] = await t.sql<{ id: number }>`select id from contact_categories where lower(name) = 'vip'`
  if (!vip) throw new Error('no category')
  await setTargets({ replyMinutes: 60, endMinutes: 600 }, { categoryId: vip.id, replyMinutes: 30 })
  const [one, other] = [await newOf(ana), await newOf(ana)]
  await keep()
  const path = `/api/conversations/${one.id}`
  const until = () => new Date(Date.now() + 3_600_000).toISOString()
  const contactOf = async (id: number) => (await read(id)).contact.id
  const acts: (() => Promise<unknown>)[] = [
    () => ana.request('PUT', `${path}/snooze`, { until: until() }),
    () => ana.request('POST', `${path}/messages`, { content: 'pois não?' }),
    () => ana.request('DELETE', `${path}/snooze`),
    async () => {
      t.simulator.control.sendText(one.phoneId, 'e então?')
      await eventually(
        () => read(one.id),
        ({ waitingFor }) => waitingFor === 'operator',
      )
    },
    async () => t.sql`update contacts set category = 'vip' where id = ${await contactOf(one.id)}`,
    () => ana.request('PUT', `/api/conversations/${other.id}/snooze`, { until: until() }),
    async () => {
      const [keptId, otherId] = [await contactOf(one.id), await contactOf(other.id)]
      await chefe.request('POST', `/api/contacts/${keptId}/merge`, { otherId })
    },
    async () => {
      const [made] = await t.sql<{ id: number }>`select max(id) as id from contact_merges`
      await chefe.request('POST', `/api/contacts/merges/${made?.id}/undo`)
    },
    () => ana.request('POST', `${path}/finalize`, { isUndoable: true }),
    () => ana.request('POST', `${path}/undo-finalize`),
    () => ana.request('PATCH', `${path}/assign-operator`, { operatorId: null }),
    () => ana.request('POST', `${path}/finalize`, {}),
  ]
  for (const act of acts) {
    await act()
    await keep()
  }
  // Of one that nothing names nothing is computed.
  await t.sql`update sla_clocks set seen = 'another' where conversation_id = ${other.id}`
  await keeper('wait')
  const [row] = await t.sql`select seen from sla_clocks where conversation_id = ${other.id}`
  expect(row).toEqual({ seen: 'another' })
})

test('messages and holds that move name the conversation that they leave, too', async () => {
  const [from, to] = [(await newOf(ana)).id, (await newOf(ana)).id]
  const undone = new Error('undone')
  const named: unknown[] = []
  const moving = inTransaction(t.database, async (db) => {
    await db.execute(sql`insert into snoozes (conversation_id, user_id, until, ended_at, ended_by)
                         values (${from}, ${ana.userId}, app_now(), app_now(), 'person')`)
    for (const table of [sql`messages`, sql`snoozes`]) {
      const before = sql`select coalesce(max(id), 0) as id from sla_due`
      const [last] = (await db.execute(before)).rows
      await db.execute(sql`update ${table} set conversation_id = ${to} where conversation_id = ${from}`)
      const { rows } = await db.execute(
        sql`select distinct conversation_id as id from sla_due
             where id > ${last?.['id']} and conversation_id in (${from}, ${to}) order by 1`,
      )
      named.push(rows.map(({ id }) => id))
    }
    throw undone
  })
  await expect(moving).rejects.toBe(undone)
  expect(named).toEqual([
    [from, to],
    [from, to],
  ])
})

test('leads are told of what is nearly late, at once where nobody has it', async () => {
  const lead = await t.signIn('operator', 'lia')
  const { body: made } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
    name: 'Vendas',
    color: '#2563eb',
    people: [
      { userId: lead.userId, isLead: true },
      { userId: ana.userId, isLead: false },
    ],
  })
  await setTargets({ replyMinutes: 100 })
  const held = await newOf(ana)
  const { conversation: free } = await newTalk(t, chefe)
  for (const id of [held.id, free.id])
    await t.sql`update conversations set sector_id = ${made.id} where id = ${id}`
  for (const id of [held.id, free.id]) await age(id, 78)
  await keep()
  expect((await toldOf(lead)).map(({ about }) => about?.conversationId)).toEqual([free.id])
  expect((await toldOf(ana)).map(({ about }) => about?.conversationId)).toContain(held.id)
  for (const id of [held.id, free.id]) await age(id, 11)
  await keep()
  await keep()
  expect((await toldOf(lead)).map(({ about }) => about?.conversationId)).toEqual([held.id, free.id])
})

test('targets are refused by words where they contradict themselves or somebody was first', async () => {
  const twice = await setTargets({ replyMinutes: 5 }, { replyMinutes: 6 })
  expect([twice.status, twice.body.message]).toEqual([400, expect.stringContaining('dois prazos')])
  expect((await setTargets({})).status).toBe(400)
  expect((await setTargets({ replyMinutes: 0 })).status).toBe(400)
  const unknown = await setTargets({ sectorId: 987_654, replyMinutes: 5 })
  expect([unknown.status, unknown.body.message]).toEqual([422, expect.stringContaining('não existe mais')])
  const { body: now } = await setTargets({ replyMinutes: 5 })
  await setTargets({ replyMinutes: 6 })
  const late = await chefe.request<{ message: string }>('PUT', '/api/sla-targets', {
    targets: [],
    version: now.version,
  })
  expect([late.status, late.body.message]).toEqual([409, 'Um colega mudou os prazos enquanto você editava.'])
})

test('report, answer and target count the same time to a first reply, without the hold', async () => {
  await setTargets({ replyMinutes: 60 })
  const { id } = await newOf(ana)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await ana.request('PUT', `/api/conversations/${id}/snooze`, { until })
  // Written two hours ago, on hold after ten minutes, taken up again 20 minutes ago.
  await age(id, 120)
  await t.sql`update snoozes set started_at = app_now() - interval '110 minutes'
               where conversation_id = ${id}`
  await ana.request('DELETE', `/api/conversations/${id}/snooze`)
  await t.sql`update snoozes set ended_at = app_now() - interval '20 minutes' where conversation_id = ${id}`
  await t.sql`update conversations set waiting_since = app_now() - interval '30 minutes' where id = ${id}`
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não?' })
  await keep()
  await computeFacts(t.database)
  const [counted] = await t.sql`
    select (f.first_reply_ms / 60000.0)::int as report, (f.open_first_reply_ms / 60000.0)::int as hours,
           (m.response_ms / 60000.0)::int as answer, (s.reply_run_ms / 60000.0)::int as target
      from conversation_facts f join sla_clocks s using (conversation_id)
      join messages m on m.conversation_id = f.conversation_id and m.response_ms is not null
     where f.conversation_id = ${id}`
  expect(counted).toEqual({ report: 30, hours: 30, answer: 30, target: 30 })
  const day = new Date(Date.now() - 6 * 3_600_000).toISOString().slice(0, 10)
  const today = new Date().toISOString().slice(0, 10)
  const differences: unknown[] = []
  await verifyReports(t.database, { startDate: day, endDate: today }, (one) => differences.push(one))
  expect(differences).toEqual([])
})

test('a reply that was deleted unsent, or has failed, stops no clock and is none in the report', async () => {
  await setTargets({ replyMinutes: 60, endMinutes: 600 })
  const { id } = await newOf(ana)
  // Nothing leaves meanwhile.
  await t.sql`update installation set sends_paused_until = now() + interval '1 hour'`
  const path = `/api/conversations/${id}/messages`
  const write = async () => {
    const { status, body } = await ana.request<{ id: number }>('POST', path, { content: 'pois não?' })
    expect(status).toBe(201)
    return body.id
  }
  const known = async () => {
    await keep()
    await computeFacts(t.database)
    const day = new Date(Date.now() - 6 * 3_600_000).toISOString().slice(0, 10)
    const today = new Date().toISOString().slice(0, 10)
    const differences: unknown[] = []
    await verifyReports(t.database, { startDate: day, endDate: today }, (one) => differences.push(one))
    expect(differences).toEqual([])
    const [row] = await t.sql`
      select s.reply_kept as kept, s.end_due_at is not null as runs, f.first_reply_at is not null as report,
             v.waiting_for as waits
        from conversations v join sla_clocks s on s.conversation_id = v.id
        join conversation_facts f on f.conversation_id = v.id where v.id = ${id}`
    return row
  }
  const unanswered = { kept: null, runs: true, report: false, waits: 'operator' }
  const answered = { kept: true, runs: false, report: true, waits: 'client' }
  const gone = await write()
  expect(await known()).toEqual(answered)
  expect((await ana.request('DELETE', `${path}/${gone}`)).status).toBe(200)
  expect(await known()).toEqual(unanswered)
  const failing = await write()
  expect(await known()).toEqual(answered)
  await t.sql`update outbox set state = 'failed' where message_id = ${failing}`
  await inTransaction(t.database, (db) => recordFailed(db, failing, 'invalid'))
  expect(await known()).toEqual(unanswered)
  expect((await ana.request('POST', `${path}/${failing}/retry`)).status).toBe(200)
  expect(await known()).toEqual(answered)
  await t.sql`update installation set sends_paused_until = null`
})

test('the reports count who kept their targets by sector, person and hour, with their rows', async () => {
  await setTargets({ replyMinutes: 20, endMinutes: 60 })
  const [kept, late] = [await newOf(ana), await newOf(ana)]
  await age(late.id, 30)
  for (const { id } of [kept, late]) {
    await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não?' })
    await ana.request('POST', `/api/conversations/${id}/finalize`, {})
  }
  await keep()
  await computeFacts(t.database)
  const day = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10)
  const period = `startDate=${day}&endDate=${day}&operatorId=${ana.userId}`
  const { sla } = await chefe.get<ReportStats>(`/api/reports/stats?${period}`)
  expect(sla.replyKept).toBeGreaterThan(0)
  expect(sla.replyBroken).toBeGreaterThan(0)
  for (const by of ['sector', 'operator', 'hour'] as const) {
    const { groups } = await chefe.get<ReportGroups>(`/api/reports/groups?${period}&by=${by}`)
    const total = groups.reduce((sum, group) => sum + group.sla.replyBroken, 0)
    expect([by, total]).toEqual([by, sla.replyBroken])
    for (const { key, sla: ofGroup } of groups) {
      const rows = await chefe.get<ReportPage>(
        `/api/reports/conversations?${period}&figure=reply_broken&by=${by}&limit=100` +
          `&key=${encodeURIComponent(key)}`,
      )
      expect(rows.pagination.total).toBe(ofGroup.replyBroken)
    }
  }
})
