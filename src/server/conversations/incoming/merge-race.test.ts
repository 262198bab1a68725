import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { inTurn } from '#server/testing/database/in-turn.ts'
import { given } from '#server/testing/given.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

// Two contacts who are merged while one of their conversations ends.

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
afterEach(() => resetSettings(t.database))

const read = (id: number) => chefe.get<Conversation>(`/api/conversations/${id}`)
const textsOf = (id: number) =>
  t.sql`select content from messages where conversation_id = ${id} and sender_type = 'contact'`

test.each(['first', 'second'] as const)(
  'who waits for an answer still does when merged while the %s conversation ends',
  async (which) => {
    const [first, second] = [await given.conversation(t, chefe), await given.conversation(t, chefe)]
    const [ending, open] = which === 'first' ? [first, second] : [second, first]
    await inTurn(
      t.database,
      sql`select from conversations where id = ${ending.id} for update`,
      () => chefe.request('POST', `/api/conversations/${ending.id}/finalize`, {}),
      () => chefe.request('POST', `/api/contacts/${first.contactId}/merge`, { otherId: second.contactId }),
    )
    expect(await read(ending.id)).toMatchObject({ status: 'completed', contactId: first.contactId })
    expect(await read(open.id)).toMatchObject({ subStatus: 'FILA', contactId: first.contactId })
    expect(await textsOf(ending.id)).toEqual([{ content: 'oi' }])
    expect(await textsOf(open.id)).toEqual([{ content: 'oi' }])
  },
)
