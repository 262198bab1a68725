import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import {
  eventually,
  filled,
  forAllTests,
  testApp,
  type TestDatabase,
  withoutJobs,
} from '#server/testing/test-app.ts'
import { claimMessage } from './outbox-claim.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const ana = forAllTests(() => t.signIn('operator'))

const states = async () =>
  (await t.sql<{ state: string }>`select distinct state from outbox where state <> 'cancelled'`).map(
    (row) => row.state,
  )

class Undone extends Error {}

/** What would be claimed now by one worker after another, if nothing were sent. */
async function claimsInTurn(): Promise<string[]> {
  const claimed: string[] = []
  await inTransaction(t.database, async (db) => {
    await db.execute(sql`update installation set sends_paused_until = null`)
    for (let next = await claimMessage(db, 1000); next; next = await claimMessage(db, 1000))
      claimed.push(next.priority === outboxPriorities.person ? 'person' : 'automatic')
    throw new Undone()
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return claimed
}

test("what waited an hour for the gateway arrives once, in order, people's messages first", async () => {
  const phones = ['ana', 'bia', 'caio', 'davi'].map((name, n) =>
    t.simulator.control.createPhone({ name, number: `5511987000${n}00` }),
  )
  for (const phone of phones) t.simulator.control.sendText(phone.id, 'oi')
  const open = await eventually(() => ana.get<Conversation[]>('/api/conversations'), {
    length: phones.length,
  })
  await t.sql`update evolution_api_config set base_url = 'http://127.0.0.1:1'`
  const texts = ['um', 'dois', 'três', 'quatro']
  // The goodbye, which is automatic, is the first to wait.
  const leaving = open.find(({ contact }) => contact.name === 'davi')
  await ana.request('POST', `/api/conversations/${leaving?.id}/finalize`, {})
  const staying = open.filter((conversation) => conversation !== leaving)
  for (const content of texts)
    for (const { id } of staying) {
      const answer = await ana.request('POST', `/api/conversations/${id}/messages`, { content })
      expect(answer.status).toBe(201)
    }
  await eventually(
    () => t.sql`select failures from evolution_api_config`,
    ([row]) => Number(row?.['failures']) >= 1,
  )
  // Found out by the first call that failed, and not by the next look.
  await eventually(
    () => t.sql`select status from evolution_api_config`,
    { 0: { status: 'unreachable' } },
    12_000,
  )
  // Advances the product's clock by an hour.
  await t.sql`create or replace function app_now() returns timestamptz language sql stable parallel safe as
        $$ select now() + interval '1 hour' $$`
  // No attempt meanwhile, after whose failure a message would wait longer than the others.
  await t.sql`update installation set sends_paused_until = now() + interval '1 minute'`
  expect(await eventually(states, (found) => !found.includes('sending'))).toEqual(['pending'])
  await t.sql`
    update evolution_api_config set base_url = ${t.simulator.url}, failures = 0, breaker_until = null,
               next_automatic_at = now(), status = 'open'`
  await t.sql`update outbox set not_before = now(), first_attempt_at = null`
  // One after the other: of each conversation the first one, which nothing blocks.
  expect(await claimsInTurn()).toEqual(['person', 'person', 'person', 'automatic'])
  await t.sql`update installation set sends_paused_until = null`
  t.database.signals.send('outbox')
  await eventually(states, (found) => found.length === 1 && found[0] === 'sent', 15_000)
  const { received } = t.simulator.control.oracle()
  const [, , , davi] = phones
  expect(received.filter((entry) => entry.phone === davi?.id)).toHaveLength(1)
  for (const { id } of phones.slice(0, 3))
    expect(received.filter((entry) => entry.phone === id).map((entry) => entry.text)).toEqual(texts)
})

/** The number of sends that the gateway was asked for. */
const countSends = () => t.simulator.control.log().filter(({ name }) => name === 'sendText').length

test.each(['connecting', 'close'] as const)(
  "replies written while WhatsApp's socket is away (%s) wait, and go once, in order, when it is back",
  async (state) => {
    const chats = [await newTalk(t, ana), await newTalk(t, ana), await newTalk(t, ana)]
    t.simulator.control.setFaults({ disconnect: { on: true, state } })
    const asked = countSends()
    const texts = ['um', 'dois', 'três']
    const written: number[] = []
    for (const content of texts)
      for (const { conversation } of chats) {
        const path = `/api/conversations/${conversation.id}/messages`
        const answer = await ana.request<Message>('POST', path, { content })
        expect(answer.status).toBe(201)
        written.push(answer.body.id)
      }
    // An attempt that found the socket closed is followed by a pause, which is over each time.
    for (let n = 0; n < 4; n++) {
      await setTimeout(300)
      await t.sql`update outbox set not_before = now() where state = 'pending'`
      t.database.signals.send('outbox')
    }
    await setTimeout(300)
    const waiting = await t.sql<{ state: string; status: string }>`
      select distinct o.state, m.delivery_status as status
            from outbox o join messages m on m.id = o.message_id
           where m.id = any(${sql.param(written)}::int[])`
    expect(waiting).toEqual([{ state: 'pending', status: 'pending' }])
    // They wait: at most the first of each conversation finds out on its own that WhatsApp is away.
    expect(countSends() - asked).toBeLessThanOrEqual(chats.length)
    t.simulator.control.setFaults({ disconnect: { on: false } })
    await eventually(states, (found) => found.length === 1 && found[0] === 'sent', 15_000)
    const { received } = t.simulator.control.oracle()
    for (const { phoneId } of chats)
      expect(received.filter((entry) => entry.phone === phoneId).map((entry) => entry.text)).toEqual(texts)
  },
)

test('a number whose key is refused sends no more, and goes on in order with the right one', async () => {
  const chats = [await newTalk(t, ana), await newTalk(t, ana)]
  const useKey = (key: string) =>
    t.sql`update evolution_api_config set api_key_encrypted = ${t.app.secrets.encrypt(key)}`
  await useKey('another')
  const asked = vi.spyOn(t.app.gateway, 'sendText')
  const texts = ['um', 'dois']
  for (const content of texts)
    for (const { conversation } of chats)
      await ana.request('POST', `/api/conversations/${conversation.id}/messages`, { content })
  await eventually(() => t.sql`select status from evolution_api_config`, { 0: { status: 'unauthorized' } })
  const calls = asked.mock.calls.length
  expect(calls).toBeLessThanOrEqual(chats.length)
  await t.sql`update outbox set not_before = now() where state = 'pending'`
  t.database.signals.send('outbox')
  await setTimeout(500)
  expect(asked).toHaveBeenCalledTimes(calls)
  expect(await t.sql`select from outbox where state = 'pending'`).toHaveLength(4)
  expect(await states()).not.toContain('failed')
  await useKey(t.simulator.apiKey)
  await eventually(states, (found) => found.length === 1 && found[0] === 'sent', 15_000)
  const { received } = t.simulator.control.oracle()
  for (const { phoneId } of chats)
    expect(received.filter((entry) => entry.phone === phoneId).map((entry) => entry.text)).toEqual(texts)
})

test('a gateway without its licence sends nothing, says so, and goes on once it has one', async () => {
  const chats = [await newTalk(t, ana), await newTalk(t, ana)]
  t.simulator.control.setVersion('2.4', false)
  const texts = ['um', 'dois']
  const idOf = async (path: string, content: string) =>
    (await ana.request<Message>('POST', path, { content })).body.id
  const ids: number[] = []
  for (const content of texts)
    for (const { conversation } of chats)
      ids.push(await idOf(`/api/conversations/${conversation.id}/messages`, content))
  await eventually(() => t.sql`select status from evolution_api_config`, { 0: { status: 'unlicensed' } })
  const shown = await ana.get<Message[]>(`/api/conversations/${chats[0]?.conversation.id}/messages`)
  expect(shown.find(({ id }) => id === ids[0])).toMatchObject({
    deliveryStatus: 'pending',
    failureReason: 'aguardando: a Evolution API precisa de uma licença',
  })
  expect(await states()).not.toContain('failed')
  t.simulator.control.setVersion('2.4')
  await eventually(states, (found) => found.length === 1 && found[0] === 'sent', 15_000)
  const { received } = t.simulator.control.oracle()
  for (const { phoneId } of chats)
    expect(received.filter((entry) => entry.phone === phoneId).map((entry) => entry.text)).toEqual(texts)
  t.simulator.control.setVersion('2.3.7')
})

test('a number whose gateway answers 502 is found away at once, and sends nothing more', async () => {
  const chats = [await newTalk(t, ana), await newTalk(t, ana)]
  const write = async (chat: number, content: string) => {
    const path = `/api/conversations/${chats[chat]?.conversation.id}/messages`
    return (await ana.request<Message>('POST', path, { content })).body.id
  }
  const sendOf = async (id: number) =>
    (
      await t.sql<{ state: string; tries: number }>`select state, tries from outbox where message_id = ${id}`
    )[0]
  const proxy = createServer((_request, response) => response.writeHead(502).end('<html>Bad Gateway</html>'))
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  await t.sql`update evolution_api_config set base_url = ${`http://127.0.0.1:${port}`}`
  try {
    const startedAt = performance.now()
    const first = await write(0, 'em dúvida')
    await eventually(() => t.sql`select status from evolution_api_config`, { 0: { status: 'unreachable' } })
    expect(performance.now() - startedAt).toBeLessThan(4000)
    expect(await eventually(() => sendOf(first), { state: 'unknown' })).toMatchObject({ tries: 1 })
    const second = await write(1, 'espera')
    await setTimeout(500)
    expect(await sendOf(second)).toEqual({ state: 'pending', tries: 0 })
    await t.sql`update evolution_api_config set base_url = ${t.simulator.url}`
    await eventually(() => sendOf(second), { state: 'sent' })
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
})

test.each(['outbox.claimed', 'outbox.answered'] as const)(
  'a database that is away for a moment after %s delays a reply by no more than that, and it arrives once',
  async (point) => {
    let way: Awaited<ReturnType<TestDatabase['openCuttable']>> | undefined
    const cut = await testApp(
      {},
      { ...withoutJobs, open: async (db) => (way = await db.openCuttable()).database },
    )
    const who = await cut.signIn('operator')
    const { conversation, phoneId } = await newTalk(cut, who)
    await cut.settled()
    const disarm = armFailpoints(`${point}=block`)
    await who.request('POST', `/api/conversations/${conversation.id}/messages`, { content: 'já vai' })
    await eventually(() => cut.sql`select from outbox where state = 'sending'`, filled)
    if (point === 'outbox.answered')
      await eventually(
        () => cut.simulator.control.chat(phoneId).filter(({ from }) => from === 'company'),
        filled,
      )
    way?.cut()
    disarm()
    await setTimeout(700)
    way?.mend()
    await eventually(() => cut.sql`select from outbox where state = 'sent'`, filled, 5000)
    expect(cut.simulator.control.chat(phoneId).filter(({ text }) => text === 'já vai')).toHaveLength(1)
    await cut.close()
  },
)

test('a claim whose commit the database, being away, did not answer delays a reply by no more', async () => {
  let way: Awaited<ReturnType<TestDatabase['openCuttable']>> | undefined
  const cut = await testApp(
    {},
    { ...withoutJobs, open: async (db) => (way = await db.openCuttable()).database },
  )
  const who = await cut.signIn('operator')
  const { conversation, phoneId } = await newTalk(cut, who)
  await cut.settled()
  // The commit of a claim takes a while, in which the connection is lost.
  await cut.sql`create function dawdle() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.6); return null; end $$`
  await cut.sql`create constraint trigger dawdle after update on outbox deferrable initially deferred
    for each row when (new.state = 'sending') execute function dawdle()`
  await who.request('POST', `/api/conversations/${conversation.id}/messages`, { content: 'já vai' })
  await eventually(
    () => cut.sql`select from pg_stat_activity
                   where datname = current_database() and wait_event = 'PgSleep'`,
    filled,
  )
  way?.cut()
  await eventually(() => cut.sql`select from outbox where state = 'sending'`, filled)
  await cut.sql`drop trigger dawdle on outbox`
  way?.mend()
  await eventually(() => cut.sql`select from outbox where state = 'sent'`, filled, 5000)
  expect(cut.simulator.control.chat(phoneId).filter(({ text }) => text === 'já vai')).toHaveLength(1)
  await cut.close()
})

test('a statement that the database ends before the gateway is called hardly delays a reply', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  await t.settled()
  // As it does with any statement when its clock is set forward. The number is read before the call.
  const ended = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  vi.spyOn(t.app.gateway, 'sendText').mockRejectedValueOnce(ended)
  await ana.request('POST', `/api/conversations/${conversation.id}/messages`, { content: 'sem demora' })
  const replies = () =>
    t.simulator.control.chat(phoneId).flatMap(({ text }) => (text === 'sem demora' ? [text] : []))
  await eventually(replies, { length: 1 }, 5000)
  vi.restoreAllMocks()
})

test('a slot of a clock that was set back meanwhile is not waited for, and the reply goes once', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  await t.settled()
  await t.sql`create function ahead() returns trigger language plpgsql as
    $$ begin new.next_send_at := new.next_send_at + interval '2 hours'; return new; end $$`
  await t.sql`create trigger ahead before update of next_send_at on evolution_api_config
    for each row execute function ahead()`
  await ana.request('POST', `/api/conversations/${conversation.id}/messages`, { content: 'na hora' })
  await eventually(
    () => t.sql`select from evolution_api_config where next_send_at > now() + interval '1 hour'`,
    filled,
  )
  await t.sql`drop trigger ahead on evolution_api_config`
  // As the correction of the clock does.
  await t.sql`update evolution_api_config set next_send_at = now()`
  const replies = () =>
    t.simulator.control.chat(phoneId).flatMap(({ text }) => (text === 'na hora' ? [text] : []))
  await eventually(replies, { length: 1 }, 5000)
  await t.settled()
  expect(replies()).toEqual(['na hora'])
})
