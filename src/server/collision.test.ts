import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { flags } from '#shared/permissions.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { type LiveClient, tabsOfTests } from './testing/live-client.ts'
import { newTalk } from './testing/new-talk.ts'
import { type Client, eventually, filled, forAllTests, testApp } from './testing/test-app.ts'

/** The second instance shares only the database with the first. */
let elsewhere: Database

const viewingTimes = { repeatMs: 300, forgetMs: 800 }

const tabOf = tabsOfTests()
const tabAt = async (app: { url: string }, who: Client): Promise<LiveClient> => {
  const client = await tabOf(app, who)
  await client.heard('viewing')
  return client
}

const newChat = async (): Promise<{ id: number; phone: string }> => {
  const { conversation, phoneId } = await newTalk(t, ana)
  return { id: conversation.id, phone: phoneId }
}

/** The viewers of a chat as last sent to this tab; undefined before that. */
function viewersOf(tab: LiveClient, conversationId: number): number[] | undefined {
  let people: number[] | undefined
  for (const frame of tab.frames) {
    if (frame.type !== 'viewing') continue
    const one = frame.data.conversations.find((each) => each.conversationId === conversationId)
    if (one) people = one.people.map(({ id }) => id)
    else if (frame.data.isWhole) people = []
  }
  return people
}
const seen = (tab: LiveClient, conversationId: number, ids: number[]) =>
  eventually(
    () => viewersOf(tab, conversationId),
    (people) => people?.join() === ids.join(),
  )
const typedIn = (tab: LiveClient, conversationId: number) =>
  tab.frames.flatMap((frame) =>
    frame.type === 'typing' ? frame.data.typing.filter((one) => one.conversationId === conversationId) : [],
  )
const openChat = (tab: LiveClient, conversationId: number | null) =>
  tab.send({ type: 'viewing', data: { conversationId } })
const type = (tab: LiveClient, conversationId: number, isTyping = true) =>
  tab.send({ type: 'typing', data: { conversationId, isTyping } })
const setFlags = async (who: Client, change: Partial<Record<(typeof flags)[number], boolean>>) => {
  const all = { ...Object.fromEntries(flags.map((flag) => [flag, true])), ...change }
  await inTransaction(t.database, async (db) => {
    await db.execute(
      sql`insert into user_permissions (user_id, flags) values (${who.userId}, ${JSON.stringify(all)}::jsonb)
          on conflict (user_id) do update set flags = excluded.flags`,
    )
    db.emit({ type: 'permissions_changed', userId: who.userId })
  })
}
const numbered = (tab: LiveClient) =>
  expect(tab.frames.map(({ n }) => n)).toEqual(tab.frames.map((_frame, index) => index + 1))

const t = forAllTests(() => testApp({}, { viewingTimes }))
const other = forAllTests(() => {
  elsewhere = t.openAgain()
  return t.startAnother({ database: elsewhere, viewingTimes })
})
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

test('both instances know who has a chat open until they leave it or disconnect', async () => {
  const chat = await newChat()
  const [here, there] = [await tabAt(t.app, ana), await tabAt(other, bruno)]
  openChat(there, chat.id)
  await seen(here, chat.id, [bruno.userId])
  openChat(here, chat.id)
  await seen(there, chat.id, [ana.userId, bruno.userId])
  openChat(there, null)
  await seen(here, chat.id, [ana.userId])
  openChat(there, chat.id)
  await seen(here, chat.id, [ana.userId, bruno.userId])
  await there.terminate()
  await seen(here, chat.id, [ana.userId])
  numbered(here)
})

test('later sockets learn who has a chat open, two tabs counting as one person', async () => {
  const chat = await newChat()
  const tabs = [await tabAt(t.app, ana), await tabAt(t.app, ana)]
  for (const tab of tabs) openChat(tab, chat.id)
  await seen(tabs[0] as LiveClient, chat.id, [ana.userId])
  const later = [await tabAt(t.app, bruno), await tabAt(other, bruno)]
  for (const tab of later) await seen(tab, chat.id, [ana.userId])
  openChat(tabs[0] as LiveClient, null)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(viewersOf(later[1] as LiveClient, chat.id)).toEqual([ana.userId])
})

test('a new instance learns at once who has a chat open', async () => {
  const chat = await newChat()
  const here = await tabAt(t.app, ana)
  openChat(here, chat.id)
  await seen(here, chat.id, [ana.userId])
  const third = await t.startAnother({ database: elsewhere })
  await seen(await tabAt(third, bruno), chat.id, [ana.userId])
  await third.stop()
})

test('who has a chat open is forgotten with a process that has died', async () => {
  const chat = await newChat()
  const here = await tabAt(t.app, ana)
  const people = [{ id: bruno.userId, name: 'Bruno' }]
  const note = { process: 'dies', viewing: [{ conversationId: chat.id, people }] }
  elsewhere.signals.broadcast(note)
  await seen(here, chat.id, [bruno.userId])
  await seen(here, chat.id, [])
})

test('who has a chat open is reported only among those who see conversations', async () => {
  const [chat, over] = [await newChat(), await newChat()]
  await ana.request('POST', `/api/conversations/${over.id}/finalize`, {})
  const blind = await t.signIn('operator', `cego-${Date.now()}`)
  await setFlags(blind, { canViewConversations: false })
  const blindSocket = await tabOf(t.app, blind)
  const [here, there] = [await tabAt(t.app, ana), await tabAt(other, bruno)]
  openChat(blindSocket, chat.id)
  openChat(there, over.id)
  openChat(here, 2_000_000_000)
  await new Promise((resolve) => setTimeout(resolve, 300))
  openChat(there, chat.id)
  await seen(here, chat.id, [bruno.userId])
  expect(viewersOf(here, over.id)).toEqual([])
  expect(viewersOf(there, 2_000_000_000)).toEqual([])
  expect(blindSocket.frames.filter(({ type: kind }) => kind === 'viewing' || kind === 'typing')).toEqual([])
  // A revoked permission takes effect at once.
  await setFlags(bruno, { canViewConversations: false })
  await seen(here, chat.id, [])
  await setFlags(bruno, {})
})

test('both instances know who types, and only in the chat that they have open', async () => {
  const [chat, second] = [await newChat(), await newChat()]
  const [here, there] = [await tabAt(t.app, ana), await tabAt(other, bruno)]
  type(there, chat.id)
  openChat(there, chat.id)
  await seen(here, chat.id, [bruno.userId])
  type(there, second.id)
  type(there, chat.id)
  await eventually(() => typedIn(here, chat.id), filled)
  expect(typedIn(here, chat.id)).toEqual([
    { conversationId: chat.id, by: { id: bruno.userId, name: 'Bruno' }, activity: 'composing' },
  ])
  type(there, chat.id, false)
  await eventually(() => typedIn(here, chat.id).at(-1), { activity: 'paused' })
  expect(typedIn(here, second.id)).toEqual([])
})

test('typing is reported also while it is still asked whether they may see the chat', async () => {
  const chat = await newChat()
  const [here, there] = [await tabAt(t.app, ana), await tabAt(other, bruno)]
  openChat(there, chat.id)
  type(there, chat.id)
  await eventually(() => typedIn(here, chat.id).at(-1), { activity: 'composing' })
  const over = await newChat()
  openChat(there, over.id)
  type(there, over.id)
  openChat(there, null)
  type(there, over.id)
  openChat(there, chat.id)
  await seen(here, chat.id, [bruno.userId])
  expect(typedIn(here, over.id)).toEqual([])
})

test('typing is reported at most twice a second, and a flood closes the socket', async () => {
  const chat = await newChat()
  const [here, there] = [await tabAt(t.app, ana), await tabAt(other, bruno)]
  openChat(there, chat.id)
  await seen(here, chat.id, [bruno.userId])
  const before = here.frames.length
  const startMs = performance.now()
  for (let n = 0; n < 190; n++) {
    if (n % 2) type(there, chat.id, n % 4 === 1)
    else openChat(there, n % 4 === 0 ? chat.id : null)
    if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await new Promise((resolve) => setTimeout(resolve, 600))
  const rounds = Math.ceil((performance.now() - startMs) / 500) + 1
  expect(here.frames.length - before).toBeLessThanOrEqual(rounds * 2)
  for (let n = 0; n < 20; n++) openChat(there, chat.id)
  expect((await there.closed).code).toBe(4429)
  await seen(here, chat.id, [])
  numbered(here)
})

test('typing of the client is forwarded without creating a row', async () => {
  const chat = await newChat()
  await t.settled()
  const [here, there] = [await tabAt(t.app, ana), await tabAt(other, bruno)]
  const counts = () =>
    t.sql`select (select count(*) from webhook_inbox) as inbox, (select count(*) from events) as events,
                 (select count(*) from contacts) as contacts,
                 (select count(*) from conversations) as conversations`
  const before = await counts()
  const stranger = t.simulator.control.createPhone({ name: 'Ninguém', number: '5511984999999' }).id
  t.simulator.control.typing(stranger, 'composing')
  for (const state of ['composing', 'recording', 'paused'] as const) {
    t.simulator.control.typing(chat.phone, state)
    for (const tab of [here, there])
      await eventually(() => typedIn(tab, chat.id).at(-1), { activity: state, by: null })
  }
  await t.settled()
  expect(await counts()).toEqual(before)
})

test('typing is shown on the client’s phone, at most once in eight seconds', async () => {
  const chat = await newChat()
  const here = await tabAt(t.app, ana)
  const shown = () => t.simulator.control.phones().find(({ id }) => id === chat.phone)?.companyPresence
  const calls = () => t.simulator.control.log().filter(({ name }) => name.includes('sendPresence')).length
  openChat(here, chat.id)
  await seen(here, chat.id, [ana.userId])
  const before = calls()
  for (let n = 0; n < 5; n++) type(here, chat.id)
  await eventually(shown, 'composing')
  type(here, chat.id, false)
  await eventually(shown, 'available')
  type(here, chat.id)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(shown()).toBe('available')
  expect(calls() - before).toBeLessThanOrEqual(2)
})
