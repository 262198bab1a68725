import { describe, expect, test } from 'vitest'
import type { Timesheet, Timesheets, WorkedConversations, WorkPeriod } from '#shared/workday/timesheets.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { createRandom } from '#simulator/random.ts'
import { newSeed } from '#server/testing/inputs/seeded-random.ts'
import { atNight } from '#server/testing/nightly.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, forAllTests, refusal, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const heloisa = forAllTests(() => t.signIn('supervisor', 'heloisa'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

let names = 0
const reason = async (form: { limitMinutes: number | null; countsAsWork?: boolean }) => {
  const whole = { name: `Pausa ${++names}`, icon: 'break', color: '#64748b', countsAsWork: false, ...form }
  const { body } = await chefe.request<{ ids: number[] }>('POST', '/api/pauses', { reasons: [whole] })
  return body.ids[0] ?? 0
}
const zone = (timezone: string) => chefe.request('PATCH', '/api/system-settings', { timezone })

interface Given {
  from: string
  to: string
  state: string
  reasonId?: number
  /** Of a pause that was interrupted: when it began. */
  pausedAt?: string
}
/** Writes a period of before. @returns its id */
const period = async ({ userId }: Client, { from, to, state, reasonId, pausedAt = from }: Given) => {
  const [made] = await t.sql<{ id: number }>`
    insert into work_periods (user_id, state, reason_id, paused_at, limit_minutes, counts_as_work, started_at,
                              ended_at, seen_at)
    select ${userId}, ${state}, r.id, case when r.id is not null then ${pausedAt}::timestamptz end,
           r.limit_minutes, coalesce(r.counts_as_work, false), ${from}, ${to}, ${to}
      from (select 1) one left join pause_reasons r on r.id = ${reasonId ?? 0} returning id`
  return made?.id ?? 0
}
const sheetsOf = (who: Client, query: string) => who.get<Timesheets>(`/api/timesheets?${query}`)
const oneDay = (day: string) => `startDate=${day}&endDate=${day}`

test('a day is cut at midnight, and adds up to the second', async () => {
  const lunch = await reason({ limitMinutes: 60 })
  await period(ana, {
    from: '2026-03-02T23:00:00-03:00',
    to: '2026-03-03T01:30:00-03:00',
    state: 'available',
  })
  await period(ana, {
    from: '2026-03-03T01:30:00-03:00',
    to: '2026-03-03T02:50:07-03:00',
    state: 'paused',
    reasonId: lunch,
  })
  await period(ana, { from: '2026-03-03T02:50:07-03:00', to: '2026-03-03T03:00:00-03:00', state: 'idle' })
  const { sheets } = await sheetsOf(heloisa, `startDate=2026-03-02&endDate=2026-03-03&userId=${ana.userId}`)
  expect(sheets).toMatchObject([
    { day: '2026-03-02', logged: 3600, available: 3600, pauses: 0 },
    {
      day: '2026-03-03',
      logged: 3 * 3600,
      available: 5400,
      paused: 4807,
      away: 593,
      pauses: 1,
      over: 1,
      overSeconds: 1207,
      isOpen: false,
    },
  ])
  expect(sheets[1]?.pieces.map(({ kind }) => kind)).toEqual(['available', 'paused', 'over', 'away'])
})

test('a pause that was interrupted is one pause, whose limit is over by the clock', async () => {
  const id = await reason({ limitMinutes: 10 })
  const pausedAt = '2026-03-04T10:00:00-03:00'
  const part = (from: string, to: string) =>
    period(ana, { from, to, state: 'paused', reasonId: id, pausedAt })
  await part(pausedAt, '2026-03-04T10:06:00-03:00')
  await part('2026-03-04T10:20:00-03:00', '2026-03-04T10:27:00-03:00')
  const { sheets } = await sheetsOf(heloisa, `${oneDay('2026-03-04')}&userId=${ana.userId}`)
  expect(sheets).toMatchObject([{ paused: 13 * 60, pauses: 1, over: 1, overSeconds: 7 * 60 }])
})

describe('who sees whose day', () => {
  test('everybody their own, supervisors all, leads those of their sectors', async () => {
    const carla = await t.signIn('operator', 'carla')
    const day = '2026-03-05'
    for (const who of [ana, bruno, carla])
      await period(who, { from: `${day}T12:00:00Z`, to: `${day}T13:00:00Z`, state: 'available' })
    const own = await sheetsOf(ana, `${oneDay(day)}&userId=${ana.userId}`)
    expect(own).toMatchObject({ isTeam: false, sheets: [{ userId: ana.userId }] })
    for (const path of [
      `/api/timesheets?${oneDay(day)}`,
      `/api/timesheets?${oneDay(day)}&userId=${bruno.userId}`,
      `/api/timesheets/periods?${oneDay(day)}&userId=${bruno.userId}`,
      `/api/timesheets/conversations?day=${day}&userId=${bruno.userId}&figure=taken`,
      `/api/timesheets/export?${oneDay(day)}&format=csv`,
    ])
      expect(await ana.request('GET', path), path).toMatchObject({ status: 403 })
    expect((await sheetsOf(heloisa, oneDay(day))).people).toHaveLength(3)
    const { body } = await chefe.request<{ id: number }>('POST', '/api/sectors', {
      name: 'Suporte',
      color: '#2563eb',
      people: [
        { userId: ana.userId, isLead: true },
        { userId: carla.userId, isLead: false },
      ],
    })
    const led = await sheetsOf(ana, oneDay(day))
    expect([led.isTeam, led.people.map(({ userId }) => userId)]).toEqual([true, [ana.userId, carla.userId]])
    // Of others she is told as much as of nobody.
    for (const userId of [bruno.userId, 2_000_000]) {
      const ofOthers = (path: string) => ana.get(`/api/timesheets/${path}&userId=${userId}`)
      expect(await ofOthers(`periods?${oneDay(day)}`)).toEqual({ periods: [] })
      expect(await ofOthers(`conversations?day=${day}&figure=taken`)).toEqual({ conversations: [], total: 0 })
    }
    const narrowed = await sheetsOf(heloisa, `${oneDay(day)}&sectorId=${body.id}`)
    expect(narrowed.people).toHaveLength(2)
    await chefe.request('DELETE', `/api/sectors/${body.id}?targetId=none`)
  })
})

describe('a correction', () => {
  test('is an entry of its own: it counts, the period stays, and the audit log has it', async () => {
    const [snack, training] = [
      await reason({ limitMinutes: 5 }),
      await reason({ limitMinutes: null, countsAsWork: true }),
    ]
    const day = '2026-03-06'
    const at = (time: string) => `${day}T${time}:00-03:00`
    const id = await period(bruno, { from: at('09:00'), to: at('09:30'), state: 'paused', reasonId: snack })
    const correct = (who: Client, body: object) =>
      who.request('POST', `/api/timesheets/periods/${id}/corrections`, body)
    const wanted = { state: 'paused', reasonId: training, why: 'curso da nova tabela' }
    expect(await correct(bruno, wanted)).toMatchObject({ status: 403 })
    expect(await correct(heloisa, { ...wanted, why: ' ' })).toMatchObject({ status: 400 })
    expect(await correct(heloisa, { ...wanted, reasonId: snack })).toMatchObject(
      refusal(422, 'timesheets.no_change'),
    )
    expect(await correct(heloisa, wanted)).toMatchObject({ status: 201 })
    const { sheets } = await sheetsOf(heloisa, `${oneDay(day)}&userId=${bruno.userId}`)
    expect(sheets).toMatchObject([{ paused: 0, counted: 1800, over: 0, pauses: 0 }])
    const { periods } = await bruno.get<{ periods: WorkPeriod[] }>(
      `/api/timesheets/periods?${oneDay(day)}&userId=${bruno.userId}`,
    )
    expect(periods).toMatchObject([
      { id, correction: { state: 'paused', why: 'curso da nova tabela', by: 'Heloisa' } },
    ])
    const [logged] = await t.sql<{ details: { from: string; to: string } }>`
      select details from audit_logs where action = 'timesheet.correct' order by id desc limit 1`
    expect(logged?.details).toMatchObject({ why: 'curso da nova tabela', userId: bruno.userId })
  })

  test('is refused for what goes on, for what is gone, and for oneself', async () => {
    const body = { state: 'away', why: 'saiu antes' }
    const correct = (who: Client, id: number) =>
      who.request('POST', `/api/timesheets/periods/${id}/corrections`, body)
    expect(await correct(heloisa, 2_000_000)).toMatchObject(refusal(404, 'timesheets.not_found'))
    const [open] = await t.sql<{ id: number }>`
      insert into work_periods (user_id, state, started_at, seen_at)
      values (${bruno.userId}, 'available', app_now(), app_now()) returning id`
    expect(await correct(heloisa, open?.id ?? 0)).toMatchObject(refusal(409, 'timesheets.under_way'))
    await t.sql`delete from work_periods where ended_at is null`
    const own = await period(heloisa, {
      from: '2026-03-07T12:00:00Z',
      to: '2026-03-07T13:00:00Z',
      state: 'available',
    })
    expect(await correct(heloisa, own)).toMatchObject(refusal(403, 'timesheets.own'))
  })
})

test('what somebody took, answered and finished is counted, and listed to who may read it', async () => {
  const { conversation } = await newTalk(t, ana)
  const call = (path: string, body?: object) =>
    ana.request('POST', `/api/conversations/${conversation.id}/${path}`, body)
  await ana.request('PATCH', `/api/conversations/${conversation.id}/assign-operator`, {
    operatorId: ana.userId,
  })
  await call('messages', { content: 'Olá!', clientMessageId: '7b1f1c6e-58a9-4a8b-9c5b-3c6f4f1f0a11' })
  await call('finalize', {})
  const [now] = await t.sql<{ day: string }>`
    select to_char(app_now() at time zone 'America/Sao_Paulo', 'YYYY-MM-DD') as day`
  const day = now?.day ?? ''
  await t.sql`delete from work_periods
               where user_id = ${ana.userId} and started_at > app_now() - interval '1 day'`
  await t.sql`insert into work_periods (user_id, state, started_at, ended_at, seen_at)
              values (${ana.userId}, 'available', app_now() - interval '2 seconds', app_now(), app_now())`
  const { sheets } = await sheetsOf(heloisa, `${oneDay(day)}&userId=${ana.userId}`)
  expect(sheets.at(-1)).toMatchObject({ taken: 1, answered: 1, finished: 1 })
  for (const figure of ['taken', 'answered', 'finished']) {
    const path = `/api/timesheets/conversations?day=${day}&userId=${ana.userId}&figure=${figure}`
    expect(await heloisa.get<WorkedConversations>(path), figure).toMatchObject({
      total: 1,
      conversations: [{ id: conversation.id, protocol: conversation.protocol }],
    })
  }
})

test('names and numbers of clients reach only who may read their conversations', async () => {
  const dora = await t.signIn('operator', 'dora')
  const rita = await t.signIn('supervisor', 'rita')
  const { conversation } = await newTalk(t, dora)
  await dora.request('PATCH', `/api/conversations/${conversation.id}/assign-operator`, {
    operatorId: dora.userId,
  })
  await t.sql`update contacts set name = '+55 11 98888-7777' where id = ${conversation.contactId}`
  const [now] = await t.sql<{ day: string }>`
    select to_char(app_now() at time zone 'America/Sao_Paulo', 'YYYY-MM-DD') as day`
  const list = (who: Client) =>
    who.get<WorkedConversations>(
      `/api/timesheets/conversations?day=${now?.day}&userId=${dora.userId}&figure=taken`,
    )
  expect((await list(rita)).conversations).toMatchObject([{ contactName: '+55 11 98888-7777' }])
  await t.sql`update users set hides_phones = true where id = ${rita.userId}`
  expect((await list(rita)).conversations).toMatchObject([{ contactName: '(11) •••• -7777' }])
  const flags = { ...defaultFlags('supervisor'), canViewConversations: false }
  await t.sql`insert into user_permissions (user_id, flags) values (${rita.userId}, ${JSON.stringify(flags)})`
  expect(await list(rita)).toEqual({ conversations: [], total: 1 })
})

/** The words of a local time, by a way of its own. */
function localDayOf(timezone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (atMs: number) => format.format(atMs)
}

test('every figure of random days is what counting the seconds of the record gives', async () => {
  const seed = newSeed('timesheets')
  const reasons = [
    await reason({ limitMinutes: 1 }),
    await reason({ limitMinutes: 30, countsAsWork: true }),
    await reason({ limitMinutes: null }),
  ]
  const zones = ['America/Sao_Paulo', 'America/New_York', 'Europe/Lisbon', 'America/Santiago', 'Asia/Tokyo']
  // In these days the clocks of some of the zones change.
  const starts = [
    '2025-03-08T12:00:00Z',
    '2025-03-29T12:00:00Z',
    '2025-10-25T12:00:00Z',
    '2025-09-06T12:00:00Z',
  ]
  for (let n = 0; n < atNight(60, 4); n++) {
    const random = createRandom(seed + n)
    const pick = <T>(some: readonly T[]) => some[Math.floor(random() * some.length)] as T
    const timezone = pick(zones)
    await zone(timezone)
    await t.sql`delete from work_corrections`
    await t.sql`delete from work_periods`
    let now = Date.parse(pick(starts)) / 1000
    const firstMs = now * 1000
    const written: {
      from: number
      to: number
      state: string
      limit: number
      counts: boolean
      key: string
      pausedAt: number
    }[] = []
    let paused = { reasonId: reasons[0] ?? 0, at: now }
    while (now < firstMs / 1000 + 2.5 * 86_400) {
      const to = now + 1 + Math.floor(random() ** 3 * 14_400)
      const state = pick(['available', 'available', 'paused', 'away', 'idle'])
      if (state === 'paused' && random() < 0.7) paused = { reasonId: pick(reasons), at: now }
      const iso = (at: number) => new Date(at * 1000).toISOString()
      const id = await period(ana, {
        from: iso(now),
        to: iso(to),
        state,
        ...(state === 'paused' && { reasonId: paused.reasonId, pausedAt: iso(paused.at) }),
      })
      const of = (reasonId: number, key: string, pausedAt: number) => ({
        pausedAt,
        limit: reasonId === reasons[0] ? 60 : reasonId === reasons[1] ? 1800 : Infinity,
        counts: reasonId === reasons[1],
        key,
      })
      const none = { limit: Infinity, counts: false, key: '', pausedAt: 0 }
      let row = {
        from: now,
        to,
        state,
        ...(state === 'paused' ? of(paused.reasonId, `${paused.reasonId}@${paused.at}`, paused.at) : none),
      }
      if (random() < 0.15) {
        const reasonId = pick(reasons)
        const corrected = pick(['available', 'away', 'paused'])
        await t.sql`insert into work_corrections
                      (period_id, state, reason_id, limit_minutes, counts_as_work, why, by_user_id)
                    select ${id}, ${corrected}, r.id, r.limit_minutes, coalesce(r.counts_as_work, false), 'x',
                           ${heloisa.userId}
                      from (select 1) one left join pause_reasons r
                        on r.id = case when ${corrected} = 'paused' then ${reasonId}::int end`
        row = {
          from: now,
          to,
          state: corrected,
          ...(corrected === 'paused' ? of(reasonId, `c${id}`, now) : none),
        }
      }
      written.push(row)
      now = to + (random() < 0.3 ? Math.floor(random() * 20_000) : 0)
    }
    const dayOf = localDayOf(timezone)
    const sums = new Map<string, Record<string, number>>()
    const [late, begun] = [new Set<string>(), new Set<string>()]
    for (const row of written)
      for (let at = row.from; at < row.to; at++) {
        const day = dayOf(at * 1000)
        const sum = sums.get(day) ?? {}
        sums.set(day, sum)
        const count = (name: string) => (sum[name] = (sum[name] ?? 0) + 1)
        count('logged')
        if (row.state === 'available') count('available')
        else if (row.state !== 'paused') count('away')
        else {
          count(row.counts ? 'counted' : 'paused')
          if (!row.counts && !begun.has(row.key) && dayOf(row.pausedAt * 1000) === day) {
            begun.add(row.key)
            count('pauses')
          }
          const limitAt = row.pausedAt + row.limit
          if (at >= limitAt) {
            count('overSeconds')
            // On the day on which it is over; else when they come back to it.
            const isHere = dayOf(limitAt * 1000) === day || at === row.from
            if (isHere && !late.has(`${day} ${row.key}`)) {
              late.add(`${day} ${row.key}`)
              count('over')
            }
          }
        }
      }
    const days = [...sums.keys()].toSorted()
    const { sheets } = await sheetsOf(
      heloisa,
      `startDate=${days[0]}&endDate=${days.at(-1)}&userId=${ana.userId}`,
    )
    const figures = [
      'logged',
      'available',
      'paused',
      'counted',
      'away',
      'pauses',
      'over',
      'overSeconds',
    ] as const
    const told = (sheet: Timesheet) => figures.map((name) => sheet[name])
    const zeroes = {
      logged: 0,
      available: 0,
      paused: 0,
      counted: 0,
      away: 0,
      pauses: 0,
      over: 0,
      overSeconds: 0,
    }
    expect(
      sheets.map((sheet) => [sheet.day, ...told(sheet)]),
      `seed ${seed + n}, ${timezone}`,
    ).toEqual(days.map((day) => [day, ...figures.map((name) => ({ ...zeroes, ...sums.get(day) })[name])]))
    for (const { pieces, logged } of sheets)
      expect(pieces.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / 1000, 0)).toBe(
        logged,
      )
  }
  await zone('America/Sao_Paulo')
}, 600_000)

test('the file of a period has a row for each person and day', async () => {
  await t.sql`delete from work_corrections`
  await t.sql`delete from work_periods`
  await period(ana, { from: '2026-03-10T12:00:00Z', to: '2026-03-10T13:00:00Z', state: 'available' })
  const answer = await fetch(`${t.app.url}/api/timesheets/export?${oneDay('2026-03-10')}&format=csv`, {
    headers: { authorization: `Bearer ${heloisa.token}` },
  })
  const lines = (await answer.text()).trim().split('\r\n')
  expect(lines[1]).toBe('Ana;10/03/2026;10/03/2026 09:00;10/03/2026 10:00;3600;3600;0;0;0;0;0;0;0;0;0')
  expect(lines).toHaveLength(2)
})
