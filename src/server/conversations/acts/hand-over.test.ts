import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, eventually, filled, forAllTests, testApp } from '#server/testing/test-app.ts'
import type { Message } from '#shared/messages/messages.ts'
import { connectLive } from '#server/testing/live-client.ts'

const t = forAllTests(testApp)

let team: Client[]
beforeAll(async () => {
  team = await Promise.all(['rosa', 'caio', 'iara'].map((name) => t.signIn('operator', name)))
})

const take = (who: Client) =>
  who.request<{ conversation: Conversation; message: string }>('POST', '/api/conversations/take-next')

test('taking the next gives three who press at once one client each', async () => {
  const [rosa] = team as [Client]
  for (const n of [1, 2, 3]) {
    const phone = t.simulator.control.createPhone({ name: `Espera ${n}`, number: `551194700000${n}` })
    t.simulator.control.sendText(phone.id, 'oi')
    await eventually(() => rosa.get<Conversation[]>('/api/conversations'), { length: n })
  }
  const oldest = (await rosa.get<Conversation[]>('/api/conversations')).find(
    ({ queuePosition }) => queuePosition === 1,
  )
  const first = await take(rosa)
  expect(first).toMatchObject({
    status: 200,
    body: {
      conversation: { id: oldest?.id, status: 'active', subStatus: 'OPERADOR', assignedUserId: rosa.userId },
    },
  })
  const answers = await Promise.all(team.map(take))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 404])
  const taken = answers.flatMap(({ status, body }) => (status === 200 ? [body.conversation.id] : []))
  expect(new Set([...taken, oldest?.id]).size).toBe(3)
  expect((await take(rosa)).body.message).toBe('Não há conversas na fila.')
})

test('taking the next passes over nobody because their conversation is locked at this moment', async () => {
  const [rosa] = team as [Client]
  const conversation = await given.conversation(t, rosa)
  await given.conversation(t, rosa)
  const beside = t.openAgain()
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = inTransaction(beside, async (db) => {
    await db.execute(sql`select from conversations where id = ${conversation.id} for update`)
    held.resolve()
    await release.promise
  })
  await held.promise
  const taking = take(rosa)
  await eventually(() => t.sql`select from pg_locks where not granted`, filled)
  release.resolve()
  await holding
  expect(await taking).toMatchObject({ status: 200, body: { conversation: { id: conversation.id } } })
  expect((await take(rosa)).status).toBe(200)
})

let ana: Client
let bruno: Client
let clara: Client
beforeEach(async () => {
  const run = String(performance.now()).replace('.', '')
  ana = await t.signIn('operator', `ana-${run}`)
  bruno = await t.signIn('operator', `bruno-${run}`)
  clara = await t.signIn('operator', `clara-${run}`)
})

/** New conversations assigned to the person, each with its client's phone. */
const talksOf = (who: Client, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { conversation, phoneId } = await newTalk(t, who)
      const { id } = conversation
      await who.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: who.userId })
      return { id, phone: phoneId }
    }),
  )
const handOver = (who: Client, to: number | null, note?: string) =>
  who.request<{ handedOver: number; code: string }>('POST', '/api/conversations/hand-over', {
    to,
    ...(note !== undefined && { note }),
  })
const holders = async (talks: { id: number }[]) =>
  new Map(
    (
      await t.sql<{ id: number; holder: number | null; status: string }>`
        select id, assigned_user_id as holder, status from conversations
             where id in (${sql.join(
               talks.map(({ id }) => sql`${id}`),
               sql`, `,
             )})`
    ).map((row) => [row.id, row]),
  )
const messagesOf = (id: number) => ana.get<Message[]>(`/api/conversations/${id}/messages`)
const actionsOf = async (id: number) =>
  (
    await t.sql<{ action: string; userId: number }>`select action, user_id as "userId" from audit_logs
           where resource_type = 'conversation' and resource_id = ${String(id)} order by id`
  ).map(({ action, userId }) => `${action} ${userId}`)
const received = (phone: string) =>
  t.simulator.control
    .chat(phone)
    .filter(({ from }) => from === 'company')
    .map(({ text }) => text)

test('a shift handed over to a colleague transfers each, and notifies them once', async () => {
  const mine = await talksOf(ana, 4)
  const [over] = await talksOf(ana, 1)
  const [ofClara] = await talksOf(clara, 1)
  await ana.request('POST', `/api/conversations/${over?.id}/finalize`, {})
  const tab = await connectLive(t.app.url, { token: bruno.token })
  await tab.heard('hello')
  expect((await handOver(ana, bruno.userId, ' saí às 18h ')).body).toEqual({ handedOver: 4 })
  for (const { id, phone } of mine) {
    const messages = await messagesOf(id)
    const at = messages.findIndex(({ metadata }) => metadata.event?.act === 'transferred')
    expect(messages[at + 1]).toMatchObject({
      messageType: 'note',
      content: 'saí às 18h',
      senderId: ana.userId,
    })
    expect(messages[at]).toMatchObject({
      content: '',
      senderId: ana.userId,
      metadata: { event: { act: 'transferred', to: expect.stringMatching(/^Bruno/) as string } },
    })
    expect((await actionsOf(id)).at(-1)).toBe(`conversation.transfer ${ana.userId}`)
    await tab.heard('conversation_transferred', ({ data }) => data.conversationId === id)
    await eventually(
      () => received(phone),
      (texts) => texts.some((text) => text.startsWith('Seu atendimento foi transferido para Bruno')),
    )
    expect(received(phone).join()).not.toContain('18h')
  }
  const notifications = tab.frames.filter(({ type }) => type === 'new_conversation_notification')
  expect(notifications).toHaveLength(1)
  const after = await holders([...mine, { id: over?.id ?? 0 }, { id: ofClara?.id ?? 0 }])
  expect(mine.map(({ id }) => after.get(id)?.holder)).toEqual(mine.map(() => bruno.userId))
  expect(after.get(over?.id ?? 0)).toMatchObject({ holder: ana.userId, status: 'completed' })
  expect(after.get(ofClara?.id ?? 0)?.holder).toBe(clara.userId)
  // There is nothing left to hand over.
  expect((await handOver(ana, bruno.userId)).body).toEqual({ handedOver: 0 })
  await tab.close()
})

test('a shift handed over to the queue waits there, with the note', async () => {
  const mine = await talksOf(ana, 2)
  expect((await handOver(ana, null, 'até amanhã')).body).toEqual({ handedOver: 2 })
  for (const { id, phone } of mine) {
    const { body } = await clara.request<Conversation>('GET', `/api/conversations/${id}`)
    expect(body).toMatchObject({ assignedUserId: null, status: 'waiting', subStatus: 'FILA' })
    expect(body.queuePosition).not.toBeNull()
    expect((await messagesOf(id)).slice(-2)).toMatchObject([
      { content: '', metadata: { event: { act: 'returned' } } },
      { content: 'até amanhã', messageType: 'note' },
    ])
    expect((await actionsOf(id)).at(-1)).toBe(`conversation.unassign ${ana.userId}`)
    await t.settled()
    expect(received(phone)).toEqual([])
  }
})

test('a shift cannot be handed over to somebody who may not sign in', async () => {
  const mine = await talksOf(ana, 1)
  await t.sql`update users set is_blocked = true where id = ${bruno.userId}`
  for (const to of [bruno.userId, 999_999]) {
    const { status, body } = await handOver(ana, to)
    expect([status, body]).toMatchObject([422, { message: 'O operador escolhido não está disponível.' }])
  }
  expect((await handOver(ana, ana.userId)).body).toEqual({ handedOver: 0 })
  expect((await holders(mine)).get(mine[0]?.id ?? 0)?.holder).toBe(ana.userId)
})

test('a shift is handed over amid other acts without loss or deadlock', async () => {
  for (let round = 0; round < 3; round++) {
    const mine = await talksOf(ana, 8)
    const [finished, given] = [mine[2]?.id, mine[5]?.id]
    const before = await deadlocks()
    const acting = [
      handOver(ana, bruno.userId),
      bruno.request('POST', `/api/conversations/${finished}/finalize`, {}),
      clara.request('PATCH', `/api/conversations/${given}/assign-operator`, {
        operatorId: clara.userId,
        holderId: ana.userId,
      }),
      handOver(ana, clara.userId),
      handOver(ana, null),
    ]
    for (const { phone } of mine) t.simulator.control.sendText(phone, `bem agora ${round}`)
    const acts = await Promise.all(acting)
    const counted = acts as { status: number; body: { handedOver?: number } }[]
    expect(counted.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    const after = [...(await holders(mine)).values()]
    expect(after.filter(({ holder, status }) => holder === ana.userId && status !== 'completed')).toEqual([])
    // To a conversation that was finished just before, it begins a new one.
    const arrived = () =>
      t.sql<{ n: number }>`select count(*)::int as n from messages where content = ${`bem agora ${round}`}`
    await eventually(arrived, ([row]) => row?.n === mine.length)
    // All but the two that Bruno and Clara may have acted on first.
    const sum = counted.reduce((all, { body }) => all + (body?.handedOver ?? 0), 0)
    expect(sum).toBeLessThanOrEqual(8)
    expect(sum).toBeGreaterThanOrEqual(6)
    const twice = await t.sql`select conversation_id from messages where sender_id = ${ana.userId}
             and metadata #>> '{event,act}' in ('transferred', 'returned')
           group by conversation_id having count(*) > 1`
    expect(twice).toEqual([])
    expect(await deadlocks()).toBe(before)
  }
}, 60_000)

async function deadlocks(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 50))
  const [row] = await t.sql<{ n: number }>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`
  return row?.n ?? 0
}
