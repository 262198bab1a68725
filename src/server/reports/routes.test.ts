import { sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { figures, noGroup } from '#shared/reports/figures.ts'
import type { OperatorPerformance, ReportGroups, ReportPage } from '#shared/reports/report-parts.ts'
import type { ReportStats } from '#shared/reports/reports.ts'
import type { SavedReport } from '#shared/reports/saved-reports.ts'
import type { TeamStats } from '#shared/reports/team-stats.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { computeFacts, verifyReports } from '#server/reports/reports.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const chief = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('supervisor', 'bruno'))

const november = 'startDate=2026-11-01&endDate=2026-11-30'
/** Open from 9 to 18 with lunch from 12 to 13, in São Paulo, where midnight is 3 h in UTC. */
const local = (day: number, time: string) =>
  new Date(Date.parse(`2026-11-${String(day).padStart(2, '0')}T${time}:00-03:00`)).toISOString()

let count = 0

interface Given {
  startedAt: string
  replyAt?: string
  takenAt?: string
  completedAt?: string
  holder?: Client
  ended?: 'finalized' | 'closed_by_inactivity'
  satisfaction?: number
  feedback?: string
  tags?: string[]
  category?: string
  waitingFor?: 'client' | 'operator'
  /** Absent: of the first number. */
  instanceId?: number
}

/** Stores a conversation. @returns its id */
async function talk(given: Given): Promise<number> {
  count += 1
  const { startedAt, replyAt, takenAt, completedAt = null, holder, satisfaction = null, tags = [] } = given
  const { instanceId = t.instanceId } = given
  const one = async (statement: ReturnType<typeof sql>) =>
    Number((await t.database.execute(statement)).rows[0]?.['id'])
  const contactId = await one(
    sql`insert into contacts (name, phone, tags, category)
        values (${`Pessoa ${count}`}, ${`5542${10_000_000 + count}`}, ${sql.param(tags)}::text[],
                ${given.category ?? 'general'}) returning id`,
  )
  const id = await one(
    sql`insert into conversations (contact_id, instance_id, protocol, assigned_user_id, status, sub_status,
          waiting_for, started_at, completed_at, satisfaction, message_count, contact_message_count)
        values (${contactId}, ${instanceId}, ${`2026${String(count).padStart(10, '0')}`},
                ${holder?.userId ?? null},
                ${completedAt ? 'completed' : holder ? 'active' : 'waiting'},
                ${holder ? 'OPERADOR' : 'FILA'}, ${given.waitingFor ?? 'client'}, ${startedAt}::timestamptz,
                ${completedAt}::timestamptz, ${satisfaction}, 5, 2) returning id`,
  )
  const add = (at: string, type: string, act?: string) =>
    t.sql`insert into messages (conversation_id, instance_id, sender_type, sender_id, content, message_type,
            metadata, delivery_status, sort_at, sent_at)
          values (${id}, ${t.instanceId}, 'user', ${(holder ?? chief).userId}, '', ${type},
                  ${JSON.stringify(act ? { event: { act } } : {})}::jsonb, ${act ? null : 'sent'},
                  ${at}::timestamptz, ${at}::timestamptz)`
  if (takenAt) await add(takenAt, 'event', 'taken')
  if (replyAt) await add(replyAt, 'text')
  if (completedAt && given.ended) await add(completedAt, 'event', given.ended)
  if (satisfaction !== null)
    await t.sql`insert into conversation_ratings
            (conversation_id, contact_id, service_rating, operator_rating, feedback)
          values (${id}, ${contactId}, ${satisfaction}, ${satisfaction}, ${given.feedback ?? null})`
  return id
}

const get = async <Body>(call: string, who = chief) => {
  await computeFacts(t.database)
  return who.request<Body>('GET', `/api/reports/${call}`)
}
const stats = async (query = november) => (await get<ReportStats>(`stats?${query}`)).body
const listed = async (query: string) => (await get<ReportPage>(`conversations?${november}&${query}`)).body
const minutes = (n: number) => n * 60_000

test('the reports say so when nothing is in the period', async () => {
  const none = await stats('startDate=2020-02-01&endDate=2020-02-29')
  expect(none).toMatchObject({
    total: 0,
    firstReply: { count: 0, open: { mean: null, median: null, p90: null } },
    rated: { count: 0, mean: null },
    hours: [],
    trendUnit: 'day',
  })
  expect(none.trend).toHaveLength(29)
})

test('the reports count the time in hours of work apart from the clock', async () => {
  // Monday 2 November is before lunch at 11:50; the answer comes after it.
  await talk({
    startedAt: local(2, '11:50'),
    takenAt: local(2, '13:05'),
    replyAt: local(2, '13:10'),
    completedAt: local(2, '14:05'),
    holder: ana,
    ended: 'finalized',
    satisfaction: 5,
    feedback: 'Muito bom',
    tags: ['Boleto', 'VIP'],
    category: 'Cliente',
  })
  expect(await stats()).toMatchObject({
    total: 1,
    completed: 1,
    byPerson: 1,
    firstReply: { count: 1, open: { mean: minutes(20) }, clock: { mean: minutes(80) } },
    queue: { open: { mean: minutes(15) }, clock: { mean: minutes(75) } },
    handling: { open: { mean: minutes(60) }, clock: { mean: minutes(60) } },
    rated: { count: 1, mean: 5, commented: 1 },
    stars: [0, 0, 0, 0, 1],
    messages: { contact: 2, team: 3 },
    hours: [{ weekday: 1, hour: 11, total: 1 }],
  })
})

test('every figure has as many rows as it says, for all filters', async () => {
  // Open over a night, a Saturday, in the queue, and closed by the clock.
  await talk({ startedAt: local(5, '17:30'), replyAt: local(6, '09:30'), holder: ana })
  await talk({ startedAt: local(7, '10:00'), waitingFor: 'operator' })
  await talk({ startedAt: local(7, '23:59'), holder: bruno, waitingFor: 'operator' })
  await talk({
    startedAt: local(9, '09:00'),
    replyAt: local(9, '09:01'),
    completedAt: local(10, '09:45'),
    holder: ana,
    ended: 'closed_by_inactivity',
    satisfaction: 2,
    tags: ['boleto'],
  })
  const all = await stats()
  const expected: Record<(typeof figures)[number], number> = {
    total: all.total,
    waiting_client: all.waitingClient,
    waiting_operator: all.waitingOperator,
    in_queue: all.inQueue,
    active: all.active,
    active_waiting: all.activeWaiting,
    completed: all.completed,
    same_day: all.trend.reduce((sum, { sameDay }) => sum + sameDay, 0),
    left_open: all.trend.reduce((sum, { total, sameDay }) => sum + total - sameDay, 0),
    first_reply: all.firstReply.count,
    queue: all.queue.count,
    handling: all.handling.count,
    rated: all.rated.count,
    commented: all.rated.commented,
    by_person: all.byPerson,
    by_inactivity: all.byInactivity,
    reply_kept: all.sla.replyKept,
    reply_broken: all.sla.replyBroken,
    end_kept: all.sla.endKept,
    end_broken: all.sla.endBroken,
  }
  expect(expected).toMatchObject({ total: 5, waiting_operator: 2, in_queue: 1, same_day: 1, left_open: 4 })
  expect(expected).toMatchObject({ active: 2, active_waiting: 1 })
  for (const figure of figures)
    expect((await listed(`figure=${figure}`)).pagination.total, figure).toBe(expected[figure])
  for (const part of all.trend)
    expect((await listed(`from=${part.from}&to=${part.to}`)).pagination.total).toBe(part.total)
  for (const { weekday, hour, total, replied } of all.hours) {
    const at = `weekday=${weekday}&hour=${hour}`
    expect((await listed(at)).pagination.total).toBe(total)
    expect((await listed(`${at}&figure=first_reply`)).pagination.total).toBe(replied)
  }
  for (const [n, starred] of all.stars.entries())
    expect((await listed(`stars=${n + 1}`)).pagination.total).toBe(starred)
  for (const by of ['operator', 'category', 'company', 'tag']) {
    const { groups } = (await get<ReportGroups>(`groups?${november}&by=${by}`)).body
    for (const { key, total } of groups)
      expect((await listed(`by=${by}&key=${encodeURIComponent(key)}`)).pagination.total).toBe(total)
  }
  const { operators, others } = (await get<OperatorPerformance>(`operator-performance?${november}`)).body
  expect(operators.map(({ name, ...row }) => [name, row.total, row.active, row.completed])).toEqual([
    ['Ana', 3, 1, 2],
  ])
  expect(others).toMatchObject({ total: 2, active: 1, completed: 0, waiting: 1 })
  expect((await listed('by=operator&key=others')).pagination.total).toBe(2)
  expect((await listed(`by=operator&key=${encodeURIComponent(noGroup)}`)).pagination.total).toBe(1)
})

test('the active conversations of an operator are the assigned ones, whoever has the turn', async () => {
  const march = 'startDate=2026-03-02&endDate=2026-03-02'
  const at = (time: string) => `2026-03-02T${time}:00-03:00`
  const carla = await t.signIn('operator', 'carla')
  // Theirs, in either turn and completed, and one that waits in the queue.
  const answered = { replyAt: at('10:04'), holder: carla }
  await talk({ startedAt: at('10:00'), ...answered, waitingFor: 'operator' })
  await talk({ startedAt: at('10:00'), ...answered, waitingFor: 'client' })
  await talk({ startedAt: at('10:00'), ...answered, completedAt: at('10:30'), satisfaction: 4 })
  await talk({ startedAt: at('11:00'), waitingFor: 'operator' })
  const performance = await get<OperatorPerformance>(`operator-performance?${march}`)
  const { operators, others } = performance.body
  expect(operators.find(({ name }) => name === 'Carla')).toMatchObject({
    total: 3,
    active: 2,
    waiting: 1,
    completed: 1,
    firstReply: { count: 3, open: { mean: minutes(4) } },
    handling: { count: 1, open: { mean: minutes(26) } },
    rated: { count: 1, mean: 4 },
  })
  expect(operators.find(({ name }) => name === 'Ana')).toMatchObject({
    total: 0,
    firstReply: { count: 0, open: { mean: null } },
    rated: { mean: null },
  })
  expect(others).toMatchObject({ total: 1, active: 0, waiting: 0 })
  const rowsOf = async (figure: string) =>
    (await get<ReportPage>(`conversations?${march}&by=operator&key=${carla.userId}&figure=${figure}`)).body
  expect((await rowsOf('active')).pagination.total).toBe(2)
  expect((await rowsOf('active_waiting')).pagination.total).toBe(1)
  const { body: file } = await t.request<string>(
    'GET',
    `/api/reports/export?${march}&part=operators&format=csv`,
    undefined,
    { authorization: `Bearer ${chief.token}` },
  )
  expect(file).toContain('\r\nCarla;3;2;1;1;Conta ativa;240;240;1560;1560;1;4\r\n')
})

test('a report of a number has its conversations, as far as the number was given to the person', async () => {
  const april = 'startDate=2026-04-01&endDate=2026-04-30'
  const [second] = await t.sql<{ id: number }>`
    insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url)
    select 'segundo', api_key_encrypted, api_key_hint, base_url from evolution_api_config limit 1
    returning id`
  const instanceId = second?.id ?? 0
  await talk({ startedAt: '2026-04-01T12:00:00Z', replyAt: '2026-04-01T12:05:00Z', holder: ana, instanceId })
  await talk({ startedAt: '2026-04-02T12:00:00Z' })
  await talk({ startedAt: '2026-04-03T12:00:00Z' })
  const totalOf = async (who: Client, id: number) =>
    (await get<ReportStats>(`stats?${april}&instanceId=${id}`, who)).body.total
  expect(await totalOf(chief, instanceId)).toBe(1)
  expect(await totalOf(chief, t.instanceId)).toBe(2)
  const page = (await get<ReportPage>(`conversations?${april}&instanceId=${instanceId}`)).body
  expect(page.conversations.map(({ operatorName }) => operatorName)).toEqual(['Ana'])
  const performance = await get<OperatorPerformance>(`operator-performance?${april}&instanceId=${instanceId}`)
  expect(performance.body.operators.find(({ name }) => name === 'Ana')).toMatchObject({ total: 1, active: 1 })
  expect(performance.body.others.total).toBe(0)
  // Another number is like none.
  const gil = await t.signIn('supervisor', 'gil')
  await t.sql`update users set number_ids = array[${t.instanceId}::int] where id = ${gil.userId}`
  expect(await totalOf(gil, t.instanceId)).toBe(2)
  expect(await totalOf(gil, instanceId)).toBe(0)
  expect(await totalOf(gil, 999_999)).toBe(0)
  const saved = { name: 'Do segundo', filter: { period: 'month', instanceId } }
  expect((await gil.request('POST', '/api/reports/saved', saved)).body).toMatchObject(saved)
})

test('the reports leave out of means what was answered without an open second, and count it', async () => {
  const period = 'startDate=2026-10-03&endDate=2026-10-05'
  const october = (day: number, time: string) => `2026-10-0${day}T${time}:00-03:00`
  // A Saturday and a Sunday, and a Monday.
  await talk({ startedAt: october(3, '10:00'), replyAt: october(3, '10:17'), holder: ana })
  await talk({ startedAt: october(4, '10:00'), replyAt: october(4, '10:19'), holder: ana })
  const closed = await stats('startDate=2026-10-03&endDate=2026-10-04')
  const no = { mean: null, median: null, p90: null }
  expect(closed.firstReply).toMatchObject({ count: 2, outside: 2, open: no, clock: { mean: minutes(18) } })
  await talk({ startedAt: october(5, '10:00'), replyAt: october(5, '10:04'), holder: ana })
  const all = await stats(period)
  expect(all.firstReply).toMatchObject({
    count: 3,
    outside: 2,
    open: { mean: minutes(4), median: minutes(4) },
  })
  expect(all.queue).toMatchObject({ count: 3, outside: 2, open: { mean: minutes(4) } })
  expect(all.trend.map(({ replied, outside, open }) => [replied, outside, open])).toEqual([
    [1, 1, null],
    [1, 1, null],
    [1, 0, minutes(4)],
  ])
  expect(all.hours.map(({ weekday, replied, open }) => [weekday, replied, open])).toEqual([
    [0, 1, null],
    [1, 1, minutes(4)],
    [6, 1, null],
  ])
  const { body } = await get<ReportPage>(`conversations?${period}&figure=first_reply`)
  expect(body.conversations.map(({ openFirstReplyMs }) => openFirstReplyMs)).toEqual([minutes(4), null, null])
  expect(body.pagination.total).toBe(all.firstReply.count)
  const differences: unknown[] = []
  const days = { startDate: '2026-10-03', endDate: '2026-10-05' }
  await verifyReports(t.database, days, (difference) => differences.push(difference))
  expect(differences).toEqual([])
})

test('the reports keep a category and a tag apart from none, whatever they are called', async () => {
  const period = 'startDate=2026-01-01&endDate=2026-01-31'
  await talk({ startedAt: '2026-01-05T12:00:00.000Z', category: 'none', tags: ['none'] })
  await talk({ startedAt: '2026-01-05T12:00:00.000Z', category: '' })
  for (const by of ['category', 'tag']) {
    const { groups } = (await get<ReportGroups>(`groups?${period}&by=${by}`)).body
    expect(groups.map(({ name, total }) => [name, total])).toEqual([
      ['none', 1],
      [null, 1],
    ])
    for (const { key } of groups) {
      const one = await get<ReportPage>(`conversations?${period}&by=${by}&key=${encodeURIComponent(key)}`)
      expect(one.body.pagination.total).toBe(1)
    }
  }
})

test('the reports of one operator are those of their conversations', async () => {
  expect(await stats(`${november}&operatorId=${ana.userId}`)).toMatchObject({ total: 3, completed: 2 })
  expect(await get(`stats?${november}&operatorId=999999`)).toMatchObject({
    status: 404,
    body: { code: 'users.not_found' },
  })
})

test('the reports list the longest times first, page after page', async () => {
  const first = await listed('figure=first_reply&limit=1')
  const second = await listed('figure=first_reply&limit=1&page=2')
  expect(first.pagination).toEqual({ page: 1, limit: 1, total: 3, totalPages: 3 })
  expect(first.conversations[0]?.openFirstReplyMs).toBe(minutes(60))
  expect(second.conversations[0]?.openFirstReplyMs).toBe(minutes(20))
  expect(first.conversations[0]).toMatchObject({ operatorName: 'Ana', status: 'active', feedback: null })
})

test('the reports keep their pages while conversations come', async () => {
  const period = 'startDate=2026-12-01&endDate=2027-12-31&limit=2'
  const december = (day: number) => `2026-12-0${day}T12:00:00.000Z`
  for (const day of [1, 2, 3]) await talk({ startedAt: december(day) })
  const first = (await get<ReportPage>(`conversations?${period}&asOf=${december(4)}`)).body
  await talk({ startedAt: december(5) })
  const second = (await get<ReportPage>(`conversations?${period}&page=2&asOf=${first.asOf}`)).body
  const seen = [...first.conversations, ...second.conversations].map(({ startedAt }) => startedAt)
  expect(seen).toEqual([december(3), december(2), december(1)])
  expect(second.pagination.total).toBe(3)
})

test('the reports leave to the next list what has no facts yet when the first page is read', async () => {
  const period = 'startDate=2026-12-01&endDate=2027-12-31&limit=2'
  const december = (day: number) => `2026-12-0${day}T12:00:00.000Z`
  const late = (hours: number) => `2026-12-08T${hours}:00:00.000Z`
  await talk({ startedAt: late(10) })
  await computeFacts(t.database)
  const first = await inTransaction(t.database, async (db) => {
    // The worker of the app, which looks every second, has to wait.
    await lockName(db, 'conversation-facts')
    // One that began before the newest, and one that began after it.
    await talk({ startedAt: december(7) })
    await talk({ startedAt: late(11) })
    return await chief.get<ReportPage>(`/api/reports/conversations?${period}`)
  })
  const second = (await get<ReportPage>(`conversations?${period}&page=2&asOf=${first.asOf}`)).body
  const starts = (page: ReportPage) => page.conversations.map(({ startedAt }) => startedAt)
  expect([...starts(first), ...starts(second)]).toEqual([5, 3, 2, 1].map(december))
  expect(second.pagination).toEqual({ ...first.pagination, page: 2 })
  expect((await get<ReportPage>(`conversations?${period}`)).body.pagination.total).toBe(7)
})

test('the reports are computed again with the hours of today', async () => {
  await saveSettings(t.database, { lunchBreak: { enabled: false, start: '12:00', end: '13:00' } })
  const changed = await stats('startDate=2026-11-02&endDate=2026-11-02')
  expect(changed.firstReply.open.mean).toBe(minutes(80))
  expect(changed.due).toBe(0)
  expect(changed.trendUnit).toBe('hour')
  expect(changed.trend[11]).toMatchObject({ hour: 11, total: 1, sameDay: 1, open: minutes(80) })
  await saveSettings(t.database, { lunchBreak: { enabled: true, start: '12:00', end: '13:00' } })
})

test.each([
  ['none', 40],
  ['usual', 10],
  [{ start: '13:05', end: '13:20' }, 35],
] as const)(
  'a Monday with hours of its own and the lunch %j is what hours of work are in reports',
  async (lunch, open) => {
    const usual = { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] }
    const differentDays = [{ day: 1, start: '12:30', end: '13:30', lunch }]
    await saveSettings(t.database, { workingHours: { ...usual, differentDays } })
    const monday = 'startDate=2026-11-02&endDate=2026-11-02'
    const { firstReply, due } = await stats(monday)
    expect({ mean: firstReply.open.mean, due }).toEqual({ mean: minutes(open), due: 0 })
    const days = { startDate: '2026-11-01', endDate: '2026-11-30' }
    const recounted = await verifyReports(t.database, days, (difference) =>
      expect(difference).toBeUndefined(),
    )
    expect(recounted.differences).toBe(0)
    await saveSettings(t.database, { workingHours: usual })
    expect((await stats(monday)).firstReply.open.mean).toBe(minutes(20))
  },
)

test('the reports leave out what was imported, and who did not pass pre-attendance', async () => {
  const before = (await stats()).total
  const id = await talk({ startedAt: local(12, '10:00'), completedAt: local(12, '11:00') })
  expect((await stats()).total).toBe(before + 1)
  await t.sql`update conversations set is_history = true where id = ${id}`
  expect((await stats()).total).toBe(before)
  await t.sql`
    update conversations set is_history = false, pre_attendance_stage = 'cancelled' where id = ${id}`
  expect((await stats()).total).toBe(before)
  await t.sql`delete from conversations where id = ${id}`
})

test('a first reply that is removed or moved counts no more', async () => {
  const id = await talk({ startedAt: local(13, '10:00'), replyAt: local(13, '10:10'), holder: ana })
  const replied = async () => (await listed('from=2026-11-13&to=2026-11-13')).conversations[0]?.firstReplyMs
  expect(await replied()).toBe(minutes(10))
  await t.sql`insert into messages (conversation_id, instance_id, sender_type, sender_id, content,
          delivery_status, sort_at, sent_at)
        values (${id}, ${t.instanceId}, 'user', ${ana.userId}, 'Oi', 'sent',
          ${local(13, '10:05')}::timestamptz, ${local(13, '10:05')}::timestamptz)`
  expect(await replied()).toBe(minutes(5))
  await t.sql`delete from messages where conversation_id = ${id}`
  expect(await replied()).toBe(null)
  await t.sql`delete from conversations where id = ${id}`
})

test.each([
  ['stats?startDate=2026-11-02&endDate=2026-11-01', 'A data final é anterior à data inicial'],
  ['stats?startDate=1990-01-01&endDate=2026-11-01', 'O período é longo demais'],
  ['stats?startDate=ontem&endDate=2026-11-01', 'Data inválida'],
])('the reports refuse the call %s', async (call, message) => {
  const { status, body } = await get<{ message: string; fields?: Record<string, string> }>(call)
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain(message)
})

test('the reports are exported as they are shown', async () => {
  const file = async (part: string) => {
    await computeFacts(t.database)
    const { body } = await t.request<string>('GET', `/api/reports/export?${november}&${part}`, undefined, {
      authorization: `Bearer ${chief.token}`,
    })
    return body
  }
  const lines = (await file('part=rows&format=csv&figure=rated')).split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[2]).toMatch(/Pessoa 1;;Cliente;Ana;02\/11\/2026 11:50;02\/11\/2026 14:05;Finalizada;/)
  expect(lines[2]).toMatch(/;1200;4800;900;4500;3600;3600;2;3;5;Muito bom$/)
  expect(await file('part=operators&format=csv')).toContain('Ana;3;1;2;0;Conta ativa;')
  expect(await file('part=tag&format=csv')).toMatch(/\r\n(Boleto|boleto);2;/)
  const [row] = await t.sql`select details from audit_logs where action = 'report.export'
    and details ->> 'part' = 'rows'`
  expect(row).toMatchObject({ details: { part: 'rows', format: 'csv', filter: { figure: 'rated' } } })
})

test('the times of a report are dates in a spreadsheet, which it sorts and counts by', async () => {
  // Half past nine in the evening, of the zone of the settings, before the next month has begun there.
  const late = await talk({ startedAt: local(30, '21:30'), completedAt: local(30, '23:59') })
  await computeFacts(t.database)
  const answer = await fetch(`${t.app.url}/api/reports/export?${november}&part=rows&format=xlsx`, {
    headers: { authorization: `Bearer ${chief.token}` },
  })
  const { sheets } = await readXlsx(Buffer.from(await answer.arrayBuffer()), { readStyles: true })
  const [head = [], ...found] = sheets[0]?.rows ?? []
  const [came, ended] = [head.indexOf('Chegou'), head.indexOf('Finalizada')]
  expect(found.find((row) => row[came]?.valueOf() === Date.UTC(2026, 10, 30, 21, 30))?.[ended]).toEqual(
    new Date('2026-11-30T23:59:00Z'),
  )
  for (const row of found) {
    expect(row[came]).toBeInstanceOf(Date)
    expect(row[ended] ?? new Date()).toBeInstanceOf(Date)
  }
  const formats = [came, ended].map((at) => sheets[0]?.cells?.get(`1,${at}`)?.style?.numFmt)
  expect(formats).toEqual(['dd/mm/yyyy hh:mm', 'dd/mm/yyyy hh:mm'])
  await t.sql`delete from conversations where id = ${late}`
})

test("are kept by name, each person's own", async () => {
  const filter = { period: 'month', operatorId: ana.userId, figure: 'first_reply' }
  const save = (who: Client, name: string) =>
    who.request<SavedReport>('POST', '/api/reports/saved', { name, filter })
  const kept = await save(chief, ' Respostas da Ana ')
  expect(kept).toMatchObject({ status: 201, body: { name: 'Respostas da Ana', filter } })
  expect((await save(chief, 'Respostas da Ana')).body.id).toBe(kept.body.id)
  expect((await bruno.request('GET', '/api/reports/saved')).body).toEqual([])
  expect(await bruno.request('DELETE', `/api/reports/saved/${kept.body.id}`)).toMatchObject({
    status: 404,
    body: { code: 'reports.not_found' },
  })
  expect((await save(chief, '  ')).status).toBe(400)
  for (let n = 2; n <= 20; n++) expect((await save(chief, `Outro ${n}`)).status).toBe(201)
  expect(await save(chief, 'Mais um')).toMatchObject({ status: 409, body: { code: 'reports.too_many' } })
  expect((await chief.request('DELETE', `/api/reports/saved/${kept.body.id}`)).status).toBe(204)
  expect((await save(chief, 'Mais um')).status).toBe(201)
})

test("of today have the team's first replies that the dashboard shows", async () => {
  const clock = await movableClock(t.database)
  await clock.set(new Date(local(18, '15:00')))
  await talk({ startedAt: local(18, '10:00'), replyAt: local(18, '10:10'), holder: bruno })
  await talk({ startedAt: local(18, '11:00'), replyAt: local(18, '11:02'), holder: bruno })
  await talk({ startedAt: local(17, '11:00'), replyAt: local(18, '09:30'), holder: ana })
  await computeFacts(t.database)
  const team = await chief.get<TeamStats>('/api/stats/team')
  expect(team).toEqual([
    { userId: bruno.userId, replied: 2, outside: 0, openMs: minutes(6), clockMs: minutes(6) },
  ])
  const today = 'startDate=2026-11-18&endDate=2026-11-18'
  const { groups } = (await get<ReportGroups>(`groups?${today}&by=operator`)).body
  expect(groups).toMatchObject([
    { key: String(bruno.userId), firstReply: { count: 2, open: { mean: minutes(6) } } },
  ])
  // Before the hours: a colleague has answered, but there is no time in hours of work.
  await talk({ startedAt: local(18, '07:00'), replyAt: local(18, '07:05'), holder: ana })
  await computeFacts(t.database)
  expect(await chief.get<TeamStats>('/api/stats/team')).toEqual([
    { userId: ana.userId, replied: 1, outside: 1, openMs: null, clockMs: minutes(5) },
    { userId: bruno.userId, replied: 2, outside: 0, openMs: minutes(6), clockMs: minutes(6) },
  ])
  // As the conversations that stand beside it.
  const gil = await t.signIn('supervisor', 'gil-do-dia')
  await t.sql`update users set scope = 'sector' where id = ${gil.userId}`
  expect(await gil.get<TeamStats>('/api/stats/team')).toEqual([])
  await t.sql`update users set scope = 'all' where id = ${gil.userId}`
  expect(await gil.get<TeamStats>('/api/stats/team')).toHaveLength(2)
})

test('a day that is not over is compared with as much of the day before', async () => {
  const clock = await movableClock(t.database)
  await clock.set(new Date(local(25, '15:00')))
  for (const time of ['00:30', '14:59', '15:01', '23:30']) await talk({ startedAt: local(24, time) })
  const dayBefore = 'startDate=2026-11-24&endDate=2026-11-24'
  expect((await stats(dayBefore)).total).toBe(4)
  const part = await stats(`${dayBefore}&until=now`)
  expect(part.total).toBe(2)
  expect(part.trend.map(({ total }) => total).indexOf(1, 1)).toBe(14)
  // Of more days the last one alone is cut.
  await talk({ startedAt: local(23, '20:00') })
  expect((await stats('startDate=2026-11-23&endDate=2026-11-24&until=now')).total).toBe(3)
})

test('the rows of a report need the flag of conversations, and who opens them is recorded', async () => {
  const rita = await t.signIn('supervisor', 'rita')
  const asked = `/api/reports/conversations?${november}&figure=first_reply`
  const audited = () => t.sql<{ action: string; details: { filter: object } }>`
    select action, details from audit_logs where user_id = ${rita.userId} and action = 'report.rows'`
  expect((await rita.request('GET', asked)).status).toBe(200)
  expect(await audited()).toMatchObject([
    { details: { filter: { startDate: '2026-11-01', figure: 'first_reply' } } },
  ])
  const permissions = { userId: rita.userId, flags: { canViewConversations: false } }
  expect((await chief.request('POST', '/api/user-permissions', permissions)).status).toBe(201)
  const statusOf = async (path: string) => (await rita.request('GET', `/api/reports/${path}`)).status
  expect(await statusOf(`conversations?${november}`)).toBe(403)
  expect(await statusOf(`export?${november}&part=rows&format=csv`)).toBe(403)
  expect(await statusOf(`export?${november}&part=operators&format=csv`)).toBe(200)
  expect(await statusOf(`stats?${november}`)).toBe(200)
  expect(await audited()).toHaveLength(1)
})
