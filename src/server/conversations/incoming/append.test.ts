import { expect, test } from 'vitest'
import { contactOf } from '#server/contacts/contacts.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { person } from '#server/testing/test-person.ts'
import { appendMessages } from './append.ts'
import { decideContact, identityOf } from './decide.ts'
import { gatherFacts } from './facts.ts'

const t = forAllTests(testDatabaseWithNumber)

test('a conversation is handed on as its row is: who waits has waited since before', async () => {
  const client = person()
  for (const event of [client.writes('oi', 1), client.writes('alguém?', 5)])
    await inTransaction(t.database, async (db) => {
      if (event.kind !== 'message') throw new Error('no message')
      const { id: contactId } = await contactOf(db, identityOf(event))
      const [gathered] = await gatherFacts(db, t.instanceId, [{ contactId, event }])
      if (!gathered) throw new Error('no facts')
      const verdict = decideContact(gathered.facts)
      if (verdict.kind !== 'append') throw new Error('not appended')
      const [appended] = await appendMessages(db, t.instanceId, [{ ...gathered, verdict }])
      const { waitingFor, waitingSince, lastActivityAt, lastMessageId } = appended?.conversation ?? {}
      expect(waitingSince).toEqual(new Date(client.base + 60_000))
      const stored = await lockConversation(db, appended?.conversation.id ?? 0)
      expect(stored).toMatchObject({ waitingFor, waitingSince, lastActivityAt, lastMessageId })
    })
})
