import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, expect, test } from 'vitest'
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
