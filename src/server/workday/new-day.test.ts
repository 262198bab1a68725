import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { tabsOfTests } from '#server/testing/live-client.ts'
import { type Client, eventually, forAllTests, testApp } from '#server/testing/test-app.ts'
import { beginsDay, firstOfDay } from './new-day.ts'
import { lockRecord, recordPresence } from './recorder.ts'

const hour = 3600
/** Days of 24 hours from 1970 on. */
const dayOf = (at: number) => String(Math.floor(at / (24 * hour)))

describe('the first input of a working day', () => {
  const begins = (last: number, input: number) => beginsDay(last * hour, input * hour, dayOf)

  test('an input on another date after a night begins a day, one on the same date does not', () => {
    expect(begins(18, 24 + 8)).toBe(true)
    expect(begins(8, 17.9)).toBe(false)
  })

  test('a break of a night shift over midnight begins no day', () => {
    expect(begins(23, 24 + 2.9)).toBe(false)
    expect(begins(20, 24)).toBe(true)
  })

  test('an input eleven hours after the last begins a day on the same date, too', () => {
    expect(begins(2, 13)).toBe(true)
    expect(begins(2, 12.99)).toBe(false)
  })

  test('a clock that was put back begins no day', () => {
    expect(begins(48, 8)).toBe(false)
  })
})

test('a pause of another day ends with any setting, and the rest is as the setting says', () => {
  const states = ['available', 'away', 'paused'] as const
  const first = (setting: 'available' | 'away' | 'kept') => states.map((was) => firstOfDay(was, setting))
  expect(first('available')).toEqual([undefined, 'available', 'available'])
  expect(first('away')).toEqual(['away', undefined, 'away'])
  expect(first('kept')).toEqual([undefined, undefined, 'available'])
})

describe('people who come on another day', () => {
  const t = forAllTests(testApp)
  const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
  const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
  const tabAt = tabsOfTests()
  const look = () => inTransaction(t.database, (db) => recordPresence(db))
  const be = (who: Client, body: object) => who.request<{ user: Me }>('PUT', '/api/profile/presence', body)
  const setting = (newDayPresence: string) =>
    chefe.request('PATCH', '/api/system-settings', { newDayPresence })
  const chosenBy = async (who: Client) => {
    const { user } = await who.get<{ user: Me }>('/api/auth/me')
    return user.pause?.name ?? (user.isAway ? 'Ausente' : 'Disponível')
  }
  const statesOf = ({ userId }: Client) =>
    t.sql<{ state: string }>`select state from work_periods where user_id = ${userId} order by started_at`

  let made = 0
  /** Somebody who left in a state, and was last seen so long ago. */
  async function whoLeft(state: 'available' | 'away' | 'paused', ago: string): Promise<Client> {
    const who = await t.signIn('operator', `pessoa${++made}`)
    const reason = { icon: 'break', color: '#64748b', limitMinutes: null, countsAsWork: false }
    const reasonId =
      state === 'paused'
        ? (
            await chefe.request<{ ids: number[] }>('POST', '/api/pauses', {
              reasons: [{ name: `Pausa ${made}`, ...reason }],
            })
          ).body.ids[0]
        : undefined
    const tab = await tabAt(t.app, who)
    await eventually(() => statesOf(who), { length: 1 })
    await be(who, { state, ...(reasonId !== undefined && { reasonId }) })
    await tab.close()
    await eventually(() => t.sql`select 1 from presence where user_id = ${who.userId} and left_at is null`, {
      length: 0,
    })
    // Not while the record is being written.
    await inTransaction(t.database, async (db) => {
      await lockRecord(db)
      await db.execute(sql`delete from presence where user_id = ${who.userId}`)
      await db.execute(sql`delete from work_periods where user_id = ${who.userId} and ended_at is not null`)
      await db.execute(
        sql`update work_periods set started_at = started_at - ${ago}::interval - interval '1 hour',
                   ended_at = seen_at - ${ago}::interval, seen_at = seen_at - ${ago}::interval,
                   input_at = input_at - ${ago}::interval where user_id = ${who.userId}`,
      )
    })
    return who
  }
  const comes = async (who: Client) => {
    const tab = await tabAt(t.app, who)
    await eventually(async () => (await statesOf(who)).length, 2)
    return tab
  }

  test("'Disponível' ends a forgotten pause and 'Ausente', and is told and recorded", async () => {
    await setting('available')
    const watching = await tabAt(t.app, bruno)
    for (const state of ['paused', 'away'] as const) {
      const who = await whoLeft(state, '12 hours')
      await comes(who)
      expect(await chosenBy(who)).toBe('Disponível')
      expect((await statesOf(who)).map((one) => one.state)).toEqual([state, 'available'])
      await watching.heard('presence', ({ data }) =>
        data.people.some((one) => one.id === who.userId && one.state === 'online'),
      )
    }
  })

  test("'Ausente' makes whoever comes away, also at first, until they say otherwise", async () => {
    await setting('away')
    const who = await whoLeft('available', '12 hours')
    const tab = await comes(who)
    expect(await chosenBy(who)).toBe('Ausente')
    await be(who, { state: 'available' })
    await tab.close()
    await tabAt(t.app, who)
    await look()
    expect(await chosenBy(who)).toBe('Disponível')
    const novice = await t.signIn('operator', 'novata')
    await tabAt(t.app, novice)
    await eventually(() => chosenBy(novice), 'Ausente')
  })

  test("'Como terminou o dia anterior' keeps 'Ausente', and no pause", async () => {
    await setting('kept')
    const away = await whoLeft('away', '12 hours')
    await comes(away)
    expect(await chosenBy(away)).toBe('Ausente')
    const paused = await whoLeft('paused', '12 hours')
    await comes(paused)
    expect(await chosenBy(paused)).toBe('Disponível')
  })

  test('whoever comes back from lunch is still in their pause', async () => {
    await setting('available')
    const who = await whoLeft('paused', '3 hours')
    await comes(who)
    expect(await chosenBy(who)).toBe(`Pausa ${made}`)
  })

  test('what somebody chooses before their connection is there is not taken for yesterday', async () => {
    await setting('available')
    const who = await whoLeft('available', '12 hours')
    await be(who, { state: 'away' })
    await comes(who)
    expect(await chosenBy(who)).toBe('Ausente')
  })

  test('a browser that was left open over night begins the day with the first input', async () => {
    await setting('available')
    const who = await t.signIn('operator', 'noturna')
    await tabAt(t.app, who)
    await eventually(() => statesOf(who), { length: 1 })
    await be(who, { state: 'away' })
    await t.sql`update presence set last_input_at = now() - interval '12 hours',
                       connected_at = now() - interval '13 hours' where user_id = ${who.userId}`
    await t.sql`delete from work_periods where user_id = ${who.userId} and ended_at is not null`
    await t.sql`update work_periods set started_at = started_at - interval '13 hours',
                       input_at = input_at - interval '12 hours' where user_id = ${who.userId}`
    await look()
    expect(await chosenBy(who)).toBe('Ausente')
    await t.sql`update presence set last_input_at = now() where user_id = ${who.userId}`
    await look()
    expect(await chosenBy(who)).toBe('Disponível')
    // The day has begun: what they choose from now on stays.
    await be(who, { state: 'away' })
    await look()
    expect(await chosenBy(who)).toBe('Ausente')
  })
})
