import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { distribute } from '#server/conversations/automatic/queue-turns.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { inTurn } from '#server/testing/database/in-turn.ts'
import { given } from '#server/testing/given.ts'
import { confirm } from '#server/testing/past.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { type Client, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

// People who lose what they need for a conversation at the moment at which they get it.

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
let otherNumber: number
beforeAll(async () => {
  otherNumber = await addNumber(t, 'filial')
  await confirm(chefe)
})
afterEach(() => resetSettings(t.database))

const read = (id: number) => chefe.get<Conversation>(`/api/conversations/${id}`)
const isQueued = { status: 'waiting', subStatus: 'FILA', assignedUserId: null }

const losses = {
  'is blocked': (who: Client) => chefe.request('POST', `/api/users/${who.userId}/toggle-block`, {}),
  'loses the number': (who: Client) =>
    chefe.request('PUT', `/api/users/${who.userId}`, { numberIds: [otherNumber] }),
}

/** Runs the act of a person who loses something: that began before it, and ends before it goes on. */
const afterLoss = <T>(who: Client, how: keyof typeof losses, act: () => Promise<T>) =>
  inTurn(t.database, sql`select from users where id = ${who.userId} for update`, () => losses[how](who), act)

test.each(['is blocked', 'loses the number'] as const)(
  'distribution gives nothing to a person who %s',
  async (how) => {
    const ana = await t.signIn('operator')
    const { id } = await given.conversation(t, chefe)
    await saveSettings(t.database, { autoDistributionEnabled: true })
    await t.sql`insert into presence (connection_id, process_id, user_id)
                values (${how}, 'test', ${ana.userId})`
    const [loss, distributed] = await afterLoss(ana, how, () => distribute(t.database))
    expect(loss).toMatchObject({ value: { status: 200 } })
    expect(distributed.status).toBe('fulfilled')
    expect(await read(id)).toMatchObject(isQueued)
    await t.sql`update conversations set status = 'completed', completed_at = app_now() where id = ${id}`
  },
)

const ways: Record<string, (who: Client, of: Conversation) => Promise<unknown>> = {
  'takes the next one': (who) => who.request('POST', '/api/conversations/take-next', {}),
  'answers a client of the queue': (who, { id }) =>
    who.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não?' }),
}

describe.each(['is blocked', 'loses the number'] as const)('who %s', (how) => {
  test.each(Object.keys(ways))('and %s at this moment has it not', async (way) => {
    const ana = await t.signIn('supervisor')
    const conversation = await given.conversation(t, chefe)
    const [loss] = await afterLoss(ana, how, async () => ways[way]?.(ana, conversation))
    expect(loss).toMatchObject({ value: { status: 200 } })
    expect(await read(conversation.id)).toMatchObject(isQueued)
    await t.sql`update conversations set status = 'completed', completed_at = app_now()`
  })

  test('and writes to a contact at this moment begins no conversation', async () => {
    const ana = await t.signIn('supervisor')
    const { contactId } = await given.person(t.database)
    const [loss] = await afterLoss(ana, how, () =>
      ana.request('POST', `/api/contacts/${contactId}/send-message`, { content: 'bom dia' }),
    )
    expect(loss).toMatchObject({ value: { status: 200 } })
    expect(await t.sql`select from conversations where contact_id = ${contactId}`).toEqual([])
  })
})
