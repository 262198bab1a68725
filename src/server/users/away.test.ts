import { expect, test } from 'vitest'
import type { Me, Operator, PresenceState } from '#shared/users/users.ts'
import { flags } from '#shared/permissions.ts'
import { type LiveClient, tabsOfTests } from '../testing/live-client.ts'
import { type Client, eventually, forAllTests, testApp } from '../testing/test-app.ts'

const t = forAllTests(testApp)
const other = forAllTests(() => t.startAnother())
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const tabAt = tabsOfTests()

const reported = (tab: LiveClient, userId: number) =>
  tab.frames.flatMap((frame) =>
    frame.type === 'presence'
      ? (frame.data.people.find(({ id }) => id === userId)?.state ?? (frame.data.isWhole ? 'offline' : []))
      : [],
  )
const isReported = (tab: LiveClient, who: Client, state: PresenceState) =>
  eventually(() => reported(tab, who.userId).at(-1), state)
const presenceOf = async (who: Client) =>
  (await ana.get<Operator[]>('/api/users/operators')).find(({ id }) => id === who.userId)?.presence
const setAway = (who: Client, isAway: boolean) =>
  who.request<{ user: Me }>('PUT', '/api/profile/presence', { state: isAway ? 'away' : 'available' })
const isAway = async (who: Client) => (await who.get<{ user: Me }>('/api/auth/me')).user.isAway
/** Sets the last input of the person to this many minutes ago. */
const lastInput = (who: Client, minutes: number) =>
  t.sql`update presence set last_input_at = now() - ${minutes} * interval '1 minute'
         where user_id = ${who.userId}`

test('colleagues at both instances see who comes and who leaves', async () => {
  const [here, there] = [await tabAt(t.app, ana), await tabAt(other, ana)]
  expect(await presenceOf(bruno)).toBe('offline')
  const ownTab = await tabAt(other, bruno)
  for (const tab of [here, there]) await isReported(tab, bruno, 'online')
  expect(await presenceOf(bruno)).toBe('online')
  await ownTab.terminate()
  for (const tab of [here, there]) await isReported(tab, bruno, 'offline')
})

test('a person who set themselves away stays so until they say otherwise', async () => {
  const here = await tabAt(t.app, ana)
  const ownTab = await tabAt(other, bruno)
  expect((await setAway(bruno, true)).body.user.isAway).toBe(true)
  await isReported(here, bruno, 'away')
  await isReported(ownTab, bruno, 'away')
  ownTab.send({ type: 'active', data: {} })
  await ownTab.terminate()
  await isReported(here, bruno, 'offline')
  await tabAt(other, bruno)
  await isReported(here, bruno, 'away')
  expect(await presenceOf(bruno)).toBe('away')
  expect(await isAway(bruno)).toBe(true)
  expect(await isAway(ana)).toBe(false)
  await setAway(bruno, false)
  await isReported(here, bruno, 'online')
})

test('fifteen minutes without input are an absence, in all tabs together', async () => {
  const here = await tabAt(t.app, ana)
  const ownTab = [await tabAt(other, bruno), await tabAt(t.app, bruno)]
  await isReported(here, bruno, 'online')
  await eventually(() => t.sql`select 1 from presence where user_id = ${bruno.userId} and left_at is null`, {
    length: ownTab.length,
  })
  await lastInput(bruno, 14)
  expect(await presenceOf(bruno)).toBe('online')
  await lastInput(bruno, 16)
  expect(await presenceOf(bruno)).toBe('idle')
  t.database.signals.send('presence')
  await isReported(here, bruno, 'idle')
  expect(await isAway(bruno)).toBe(false)
  ownTab[0]?.send({ type: 'active', data: {} })
  await eventually(() => presenceOf(bruno), 'online')
})

test('a person who may not see the presence of colleagues sees only their own', async () => {
  const blind = await t.signIn('operator')
  const none = Object.fromEntries(flags.map((flag) => [flag, false]))
  await t.sql`insert into user_permissions (user_id, flags)
         values (${blind.userId}, ${JSON.stringify(none)}::jsonb)`
  const ownTab = await tabAt(t.app, blind)
  await isReported(ownTab, blind, 'online')
  await tabAt(other, bruno)
  await setAway(bruno, true)
  await setAway(blind, true)
  await isReported(ownTab, blind, 'away')
  const others = ownTab.frames.flatMap((frame) =>
    frame.type === 'presence' ? frame.data.people.filter(({ id }) => id !== blind.userId) : [],
  )
  expect(others).toEqual([])
  await setAway(bruno, false)
})
