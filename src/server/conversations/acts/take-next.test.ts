import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { given } from '#server/testing/given.ts'
import { type Client, eventually, filled, forAllTests, testApp } from '#server/testing/test-app.ts'

let people: Client[]

const t = forAllTests(testApp)

beforeAll(async () => {
  people = [
    await t.signIn('operator', 'ana'),
    await t.signIn('operator', 'bruno'),
    await t.signIn('operator', 'carla'),
  ]
})

const take = (who: Client) =>
  who.request<{ conversation: Conversation; message: string }>('POST', '/api/conversations/take-next')

test('taking the next gives three who press at once one client each', async () => {
  const [ana] = people as [Client]
  for (const n of [1, 2, 3]) {
    const phone = t.simulator.control.createPhone({ name: `Espera ${n}`, number: `551194700000${n}` })
    t.simulator.control.sendText(phone.id, 'oi')
    await eventually(() => ana.get<Conversation[]>('/api/conversations'), { length: n })
  }
  const oldest = (await ana.get<Conversation[]>('/api/conversations')).find(
    ({ queuePosition }) => queuePosition === 1,
  )
  const first = await take(ana)
  expect(first).toMatchObject({
    status: 200,
    body: {
      conversation: { id: oldest?.id, status: 'active', subStatus: 'OPERADOR', assignedUserId: ana.userId },
    },
  })
  const answers = await Promise.all(people.map(take))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 404])
  const taken = answers.flatMap(({ status, body }) => (status === 200 ? [body.conversation.id] : []))
  expect(new Set([...taken, oldest?.id]).size).toBe(3)
  expect((await take(ana)).body.message).toBe('Não há conversas na fila.')
})

test('taking the next waits for locked conversations when there is no other', async () => {
  const [ana] = people as [Client]
  const conversation = await given.conversation(t, ana)
  const beside = t.openAgain()
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = inTransaction(beside, async (db) => {
    await db.execute(sql`select from conversations where id = ${conversation.id} for update`)
    held.resolve()
    await release.promise
  })
  await held.promise
  const taking = take(ana)
  await eventually(() => t.sql`select from pg_locks where not granted`, filled)
  release.resolve()
  await holding
  expect(await taking).toMatchObject({ status: 200, body: { conversation: { id: conversation.id } } })
})
