import { describe, expect, test } from 'vitest'
import type { Me, Operator } from '#shared/users/users.ts'
import { type PauseReason, type PauseReasonForm, suggestedReasons } from '#shared/workday/pauses.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { tabsOfTests } from '#server/testing/live-client.ts'
import { type Client, eventually, forAllTests, refusal, testApp } from '#server/testing/test-app.ts'
import { recordPresence } from './recorder.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const tabAt = tabsOfTests()

const listed = () => ana.get<PauseReason[]>('/api/pauses')
const create = (form: Partial<PauseReasonForm> & { name: string }, who = chefe) =>
  who.request<{ ids: number[] }>('POST', '/api/pauses', {
    reasons: [{ icon: 'break', color: '#64748b', limitMinutes: null, countsAsWork: false, ...form }],
  })
const reasonNamed = async (name: string, form: Partial<PauseReasonForm> = {}) =>
  (await create({ name, ...form })).body.ids[0] ?? 0
const be = (who: Client, body: object) => who.request<{ user: Me }>('PUT', '/api/profile/presence', body)
const stateOf = async (who: Client) =>
  (await chefe.get<Operator[]>('/api/users/operators')).find(({ id }) => id === who.userId)

interface PeriodRow extends Record<string, unknown> {
  state: string
  reasonId: number | null
  seconds: number
  isOpen: boolean
  losses: number
}
const periodsOf = ({ userId }: Client) =>
  t.sql<PeriodRow>`
    select state, reason_id as "reasonId", ended_at is null as "isOpen", losses,
           extract(epoch from coalesce(ended_at, seen_at) - started_at)::int as seconds
      from work_periods where user_id = ${userId} order by started_at`
const look = () => inTransaction(t.database, (db) => recordPresence(db))

describe('the reasons of pauses', () => {
  test('an administrator begins with the suggested ones, changes, orders and deletes them', async () => {
    const tab = await tabAt(t.app, ana)
    expect(await listed()).toEqual([])
    const suggest = () =>
      chefe.request<{ ids: number[] }>('POST', '/api/pauses', { reasons: suggestedReasons })
    const { body } = await suggest()
    await tab.heard('pauses_changed')
    expect((await listed()).map(({ name, limitMinutes }) => [name, limitMinutes])).toEqual(
      suggestedReasons.map(({ name, limitMinutes }) => [name, limitMinutes]),
    )
    expect(await suggest()).toMatchObject(refusal(409, 'pauses.duplicate'))
    const [first = 0, ...others] = body.ids
    const change = (change: object) => chefe.request('PATCH', `/api/pauses/${first}`, change)
    expect(await change({ name: 'ALMOÇO', limitMinutes: 90, version: 1 })).toMatchObject({ status: 204 })
    expect(await change({ limitMinutes: 45, version: 1 })).toMatchObject(refusal(409, 'pauses.changed'))
    expect(await change({ name: ' lanche ' })).toMatchObject(refusal(409, 'pauses.duplicate'))
    expect(await create({ name: 'Reuniao' })).toMatchObject(refusal(409, 'pauses.duplicate'))
    await chefe.request('PUT', '/api/pauses/order', { ids: [...others, first] })
    expect((await listed()).at(-1)).toMatchObject({ name: 'ALMOÇO', limitMinutes: 90 })
    expect(await chefe.request('PUT', '/api/pauses/order', { ids: others })).toMatchObject(
      refusal(409, 'pauses.order_changed'),
    )
    expect(await chefe.request('DELETE', `/api/pauses/${first}`)).toMatchObject({ status: 204 })
    expect(await chefe.request('DELETE', `/api/pauses/${first}`)).toMatchObject(
      refusal(404, 'pauses.not_found'),
    )
    expect(await listed()).toHaveLength(4)
  })

  test('one that somebody has used is deactivated, offered no longer, and not deleted', async () => {
    const id = await reasonNamed('Dentista')
    await tabAt(t.app, bruno)
    await be(bruno, { state: 'paused', reasonId: id })
    await eventually(
      () => periodsOf(bruno),
      ([one]) => one?.state === 'paused',
    )
    await t.sql`update work_periods set started_at = started_at - interval '5 minutes'
                 where user_id = ${bruno.userId}`
    expect(await chefe.request('DELETE', `/api/pauses/${id}`)).toMatchObject(refusal(409, 'pauses.used'))
    await chefe.request('PATCH', `/api/pauses/${id}`, { isActive: false })
    await be(bruno, { state: 'available' })
    expect(await be(bruno, { state: 'paused', reasonId: id })).toMatchObject(refusal(422, 'pauses.unknown'))
    expect((await listed()).find((one) => one.id === id)).toMatchObject({ isActive: false, isUsed: true })
  })
})

describe('the record of what people are', () => {
  test('a pause is shown to colleagues with its time, keeps the queue away, and ends by hand', async () => {
    const id = await reasonNamed('Café', { limitMinutes: 15 })
    const [own, others] = [await tabAt(t.app, ana), await tabAt(t.app, bruno)]
    const { body } = await be(ana, { state: 'paused', reasonId: id })
    expect(body.user.pause).toMatchObject({ reasonId: id, name: 'Café', limitMinutes: 15 })
    await others.heard('presence', ({ data }) =>
      data.people.some((one) => one.id === ana.userId && one.pause?.name === 'Café'),
    )
    expect(await stateOf(ana)).toMatchObject({ presence: 'paused', pause: { name: 'Café' } })
    await be(ana, { state: 'away' })
    expect(await stateOf(ana)).toMatchObject({ presence: 'away' })
    expect((await stateOf(ana))?.pause).toBeUndefined()
    await be(ana, { state: 'available' })
    await eventually(async () => (await stateOf(ana))?.presence, 'online')
    await own.close()
  })

  test('a new limit holds for who is in such a pause, and not for pauses of before', async () => {
    const id = await reasonNamed('Ginástica', { limitMinutes: 20 })
    const carla = await t.signIn('operator', 'carla')
    await tabAt(t.app, carla)
    await be(carla, { state: 'paused', reasonId: id })
    await t.sql`delete from work_periods where user_id = ${carla.userId} and state <> 'paused'`
    await t.sql`update work_periods set started_at = started_at - interval '1 minute',
                       paused_at = paused_at - interval '1 minute' where user_id = ${carla.userId}`
    await t.sql`update users set paused_at = paused_at - interval '1 minute' where id = ${carla.userId}`
    await be(carla, { state: 'available' })
    await be(carla, { state: 'paused', reasonId: id })
    await chefe.request('PATCH', `/api/pauses/${id}`, { limitMinutes: 5 })
    expect(
      await t.sql`select limit_minutes as "limit" from work_periods
                   where user_id = ${carla.userId} and reason_id = ${id} order by started_at`,
    ).toEqual([{ limit: 20 }, { limit: 5 }])
  })

  test('two tabs are one person; a lost connection counts after two minutes', async () => {
    const davi = await t.signIn('operator', 'davi')
    const tabs = [await tabAt(t.app, davi), await tabAt(t.app, davi)]
    await eventually(() => periodsOf(davi), { length: 1 })
    await tabs[0]?.close()
    await tabs[1]?.terminate()
    await eventually(() => t.sql`select 1 from presence where user_id = ${davi.userId} and left_at is null`, {
      length: 0,
    })
    const hoursAgo = (spoken: string) =>
      t.sql`update presence set left_at = now() - ${spoken}::interval,
                   connected_at = now() - interval '1 hour', heartbeat_at = now() - ${spoken}::interval,
                   last_input_at = now() - ${spoken}::interval
             where user_id = ${davi.userId}`
    await t.sql`update work_periods set started_at = app_now() - interval '1 hour',
                       seen_at = app_now() - interval '90 seconds' where user_id = ${davi.userId}`
    await hoursAgo('90 seconds')
    await look()
    expect(await periodsOf(davi)).toMatchObject([{ state: 'available', isOpen: true }])
    await tabAt(t.app, davi)
    await eventually(
      () => periodsOf(davi),
      ([one]) => one?.losses === 1,
    )
    expect(await periodsOf(davi)).toHaveLength(1)
  })

  test('what was not written while the server was down is written from what is known', async () => {
    const elisa = await t.signIn('operator', 'elisa')
    await t.sql`insert into work_periods (user_id, state, started_at, seen_at)
                values (${elisa.userId}, 'available', date_trunc('second', app_now() - interval '3 hours'),
                        date_trunc('second', app_now() - interval '2 hours'))`
    await look()
    expect(await periodsOf(elisa)).toMatchObject([{ seconds: 3600, isOpen: false }])
    await tabAt(t.app, elisa)
    await eventually(() => periodsOf(elisa), { length: 2 })
  })

  test('the database refuses a second state at the same time', async () => {
    const fabio = await t.signIn('operator', 'fabio')
    const insert = (from: number, to: number) =>
      t.sql`insert into work_periods (user_id, state, started_at, ended_at, seen_at)
            values (${fabio.userId}, 'away', to_timestamp(${from}), to_timestamp(${to}), to_timestamp(${to}))`
    await insert(1000, 2000)
    await insert(2000, 3000)
    await expect(insert(2500, 3500)).rejects.toThrow()
  })

  test('a line that comes back is no input: who was idle stays so', async () => {
    const gina = await t.signIn('operator', 'gina')
    const tab = await tabAt(t.app, gina)
    await eventually(() => periodsOf(gina), { length: 1 })
    await t.sql`update presence set last_input_at = now() - interval '16 minutes',
                       connected_at = now() - interval '20 minutes' where user_id = ${gina.userId}`
    await t.sql`update work_periods set started_at = started_at - interval '20 minutes'
                 where user_id = ${gina.userId}`
    await look()
    expect((await stateOf(gina))?.presence).toBe('idle')
    await tab.terminate()
    await tabAt(t.app, gina)
    await eventually(() => t.sql`select 1 from presence where user_id = ${gina.userId} and left_at is null`, {
      length: 1,
    })
    await look()
    expect((await stateOf(gina))?.presence).toBe('idle')
    expect((await periodsOf(gina)).map(({ state }) => state)).toEqual(['available', 'idle'])
  })
})
