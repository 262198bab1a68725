import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { queueUndecided } from '#server/conversations/automatic/choice-expiry.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { type Client, eventually, filled, forAllTests, refusal, testApp } from '#server/testing/test-app.ts'

// People who are blocked or deleted while an end is held, or while they choose.

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
afterEach(() => resetSettings(t.database))

const read = (id: number) => chefe.get<Conversation>(`/api/conversations/${id}`)
const onPhone = (phoneId: string) =>
  t.simulator.control.chat(phoneId).filter(({ from }) => from === 'company')

/** A conversation that a person has finalized a moment ago. */
async function justEnded(who: Client) {
  const { conversation, phoneId } = await newTalk(t, who)
  const path = `/api/conversations/${conversation.id}`
  await who.request('PATCH', `${path}/assign-operator`, { operatorId: who.userId })
  await who.request('POST', `${path}/finalize`, { isUndoable: true })
  return { ...conversation, path, phoneId }
}

/** Ends the wait of the closing texts now rather than in some seconds. */
const pass = (id: number) =>
  inTransaction(t.database, async (db) => {
    await db.execute(sql`update outbox set not_before = now() where conversation_id = ${id}`)
    db.signal('outbox')
  })

test('a client who is blocked while the end is held hears nothing, and it is not undone', async () => {
  await saveSettings(t.database, { finalizationMessage: 'tchau' })
  const { id, contactId, path, phoneId } = await justEnded(chefe)
  expect((await chefe.request('POST', `/api/contacts/${contactId}/block`)).status).toBe(200)
  expect(await chefe.request('POST', `${path}/undo-finalize`)).toMatchObject(
    refusal(409, 'conversations.undo_too_late'),
  )
  expect(await t.sql`select from outbox where conversation_id = ${id} and state = 'pending'`).toEqual([])
  const next = await newTalk(t, chefe)
  await pass(id)
  await chefe.request('POST', `/api/conversations/${next.conversation.id}/messages`, { content: 'Olá' })
  await eventually(() => onPhone(next.phoneId), filled)
  expect(onPhone(phoneId)).toEqual([])
  expect(await read(id)).toMatchObject({ status: 'completed' })
})

test('a contact is not deleted while the end of their conversation can be undone', async () => {
  const { contactId, path } = await justEnded(chefe)
  expect(await chefe.request('DELETE', `/api/contacts/${contactId}`)).toMatchObject(
    refusal(409, 'contacts.has_open_conversation'),
  )
  expect((await chefe.request('POST', `${path}/undo-finalize`)).status).toBe(200)
})

test.each([
  ['blocked', 'POST', '/toggle-block', {}],
  ['switched off', 'PUT', '', { isActive: false }],
])(
  'a client who writes while the end of an operator who was %s is held is queued',
  async (how, method, to, body) => {
    const eva = await t.signIn('operator', `eva-${how.slice(0, 3)}`)
    const { id, phoneId } = await justEnded(eva)
    expect((await chefe.request(method, `/api/users/${eva.userId}${to}`, body)).status).toBe(200)
    t.simulator.control.sendText(phoneId, 'esqueci uma coisa')
    await eventually(() => read(id), { status: 'waiting', subStatus: 'FILA', assignedUserId: null })
  },
)

async function choosing(name: string, number: string) {
  const hours = { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] }
  await saveSettings(t.database, {
    preAttendanceEnabled: true,
    preAttendanceMessage: '1 ou 2',
    workingHours: hours,
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  })
  const phone = t.simulator.control.createPhone({ name, number })
  t.simulator.control.sendText(phone.id, 'quero 2 pizzas')
  const [row] = await eventually(
    () => t.sql<{ id: number; contactId: number }>`
      select v.id, v.contact_id as "contactId" from conversations v join contacts c on c.id = v.contact_id
       where c.phone = ${number} and v.pre_attendance_stage = 'waiting_option'`,
    filled,
  )
  if (!row) throw new Error('nobody chooses')
  return row
}
const aDayLater = async () => {
  await t.sql`update pre_attendance_temp set created_at = created_at - interval '25 hours'`
  await queueUndecided(t.database)
}

test('a client who is blocked while they choose is not queued a day later', async () => {
  const { id, contactId } = await choosing('Escolhe', '5511942770001')
  expect((await chefe.request('POST', `/api/contacts/${contactId}/block`)).status).toBe(200)
  await aDayLater()
  expect(await read(id)).toMatchObject({ status: 'completed' })
})

test('a contact is not deleted while they choose, and what they wrote is queued a day later', async () => {
  const { id, contactId } = await choosing('Escolhe Ainda', '5511942770002')
  expect(await chefe.request('DELETE', `/api/contacts/${contactId}`)).toMatchObject(
    refusal(409, 'contacts.is_choosing'),
  )
  await aDayLater()
  expect(await read(id)).toMatchObject({ status: 'waiting', subStatus: 'FILA' })
})

const limits = {
  numbers: async ({ userId }: Client) => {
    const other = await addNumber(t, `filial-${userId}`)
    await t.sql`update users set number_ids = array[${other}::int] where id = ${userId}`
  },
  sectors: async ({ userId }: Client) => {
    await t.sql`update users set scope = 'sector' where id = ${userId}`
  },
}

/** What somebody is answered who blocks, deletes and gives another number to a contact. */
async function reach(who: Client, contactId: number) {
  const path = `/api/contacts/${contactId}`
  const answers = [
    await who.request('POST', `${path}/block`),
    await who.request('DELETE', path),
    await who.request('PUT', path, { phone: '5511942770099' }),
  ]
  return answers.map(({ status, body }) => [status, (body as { code?: string } | null)?.code])
}
const outOfReach = Array.from({ length: 3 }, () => [409, 'contacts.at_other_number'])

describe.each(['numbers', 'sectors'] as const)('of a person who has some of the %s', (limit) => {
  test('no act on a contact ends the held end of a conversation that they do not see', async () => {
    const { contactId, path } = await justEnded(chefe)
    const dora = await t.signIn('supervisor', `dora-${limit}`)
    await limits[limit](dora)
    expect(await reach(dora, contactId)).toEqual(outOfReach)
    expect((await chefe.request('POST', `${path}/undo-finalize`)).status).toBe(200)
  })

  test('no act on a contact ends a choice in a conversation that they do not see', async () => {
    const number = limit === 'numbers' ? '5511942770003' : '5511942770004'
    const { id, contactId } = await choosing('Escolhe Longe', number)
    const dora = await t.signIn('supervisor', `duda-${limit}`)
    await limits[limit](dora)
    expect(await reach(dora, contactId)).toEqual(outOfReach)
    await aDayLater()
    expect(await read(id)).toMatchObject({ status: 'waiting', subStatus: 'FILA' })
  })

  test('an end that is held no more hinders no act on the contact', async () => {
    const { id, contactId } = await justEnded(chefe)
    const dora = await t.signIn('supervisor', `dina-${limit}`)
    await limits[limit](dora)
    await t.sql`update conversations set held_until = now() - interval '1 second' where id = ${id}`
    expect((await dora.request('POST', `/api/contacts/${contactId}/block`)).status).toBe(200)
  })
})

test('an end that the wrong clock of a database holds for hours hinders no act on the contact', async () => {
  const { id, contactId } = await justEnded(chefe)
  await t.sql`update conversations set held_until = now() + interval '3 hours' where id = ${id}`
  const phone = '5511942770005'
  expect((await chefe.request('PUT', `/api/contacts/${contactId}`, { phone })).status).toBe(200)
  expect((await chefe.request('DELETE', `/api/contacts/${contactId}`)).status).toBe(204)
})
