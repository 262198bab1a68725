import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import { positionOf } from './automation.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const list = () => chefe.get<Conversation[]>('/api/conversations')
const placesOf = async (names: string[]) => {
  const rows = await list()
  return names.map((name) => rows.find(({ contact }) => contact.name === name)?.queuePosition)
}

/** Clients who write in this order, at one number and the other. @returns their names and phones */
async function queueUp(instances: string[]) {
  const made = []
  for (const [n, instance] of instances.entries()) {
    const name = `${instance} ${n}`
    const phone = t.simulator.control.createPhone({ name, number: `5511987${String(60_000 + n)}` })
    t.simulator.control.send(phone.id, { kind: 'text', text: 'oi', instance })
    await eventually(list, (rows) => rows.some(({ contact }) => contact.name === name))
    made.push({ name, phoneId: phone.id })
  }
  return made
}

const toldTo = (phoneId: string) =>
  t.simulator.control.chat(phoneId).flatMap(({ from, text }) => (from === 'company' ? [text] : []))

test('the place in the queue is over all numbers whose people are the same', async () => {
  const b = await addNumber(t, 'loja2')
  const texts: Partial<SystemSettings> = {
    workingHours: { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] },
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    queueMessage: 'Você é o {{position}}º da fila',
    queuePositionUpdateMessage: 'agora {{position}}º',
  }
  await chefe.request('PATCH', '/api/system-settings', texts)
  const clients = await queueUp(['loja1', 'loja2', 'loja1', 'loja2'])
  const names = clients.map(({ name }) => name)
  const phones = clients.map(({ phoneId }) => phoneId)

  await t.settled()
  const first = () => phones.map((phone) => toldTo(phone)[0])
  expect(first()).toEqual([1, 2, 3, 4].map((n) => `Você é o ${n}º da fila`))
  expect(await placesOf(names)).toEqual([1, 2, 3, 4])
  const rows = await list()
  const idOf = (name?: string) => rows.find(({ contact }) => contact.name === name)?.id ?? 0
  const places = () => Promise.all(names.map((name) => positionOf(t.database, idOf(name))))
  expect(await places()).toEqual([1, 2, 3, 4])
  const single = await chefe.get<Conversation>(`/api/conversations/${idOf(names[3])}`)
  expect(single).toMatchObject({ queuePosition: 4 })

  // Whoever has one of them only makes it a queue of its own.
  await chefe.request('PUT', `/api/users/${ana.userId}`, { numberIds: [b] })
  expect(await places()).toEqual([1, 1, 2, 2])
  expect(await placesOf(names)).toEqual([1, 1, 2, 2])
  await chefe.request('PUT', `/api/users/${ana.userId}`, { numberIds: null })
  expect(await placesOf(names)).toEqual([1, 2, 3, 4])

  // Who takes the first of all moves up those of the other number, too.
  await ana.request('POST', '/api/conversations/take-next')
  await t.sql`update queue_pending_conversations set told_at = told_at - interval '2 minutes'`
  await sendPositions(t.database)
  await t.sql`update evolution_api_config set next_automatic_at = now()`
  await eventually(() => toldTo(phones[1] ?? ''), ['Você é o 2º da fila', 'agora 1º'], 15_000)
  await eventually(() => toldTo(phones[3] ?? ''), ['Você é o 4º da fila', 'agora 3º'], 15_000)
})

test.each([
  ['is blocked', sql`is_blocked = true`],
  ['is inactive', sql`is_active = false`],
  ['was deleted', sql`deleted_at = now()`],
  ['has all of them, as an administrator', sql`role = 'admin'`],
])('numbers are not told apart by somebody who %s', async (_who, change) => {
  const [first, second] = await t.sql<{ id: number }>`
    select distinct on (instance_id) id from conversations where status = 'waiting'
     order by instance_id desc, started_at`
  const bia = await t.signIn('operator')
  const places = () => Promise.all([first, second].map((one) => positionOf(t.database, one?.id ?? 0)))
  const together = await places()
  await t.sql`update users set number_ids = array[${t.instanceId}]::int[] where id = ${bia.userId}`
  expect(await places()).toEqual([1, 1])
  await t.sql`update users set ${change} where id = ${bia.userId}`
  expect(await places()).toEqual(together)
  expect(together.toSorted((x, y) => (x ?? 0) - (y ?? 0))).toEqual([1, 2])
})
