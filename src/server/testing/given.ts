import { sql } from 'drizzle-orm'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { contactOf } from '#server/contacts/contacts.ts'
import { identityOf } from '#server/conversations/incoming/stored-message.ts'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { newPhoneMessageId } from '#simulator/random.ts'
import type { Client, TestApp } from './test-app.ts'
import { saying } from './test-person.ts'

// What tests need before they begin, written without the calls and waits by which it comes about in use.

let people = 0

/** A client's first message, as the gateway reports it. */
function firstMessage(number: string | undefined): IncomingMessage & { name: string; phone: string } {
  people += 1
  const name = `Cliente dado ${people}`
  const phone = number ?? `5511949${String(people).padStart(6, '0')}`
  return {
    kind: 'message',
    waId: newPhoneMessageId(),
    peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
    origin: 'contact',
    name,
    sentAt: new Date(),
    content: saying('oi'),
    quoted: undefined,
    isHistory: false,
    phone,
  }
}

export const given = {
  /** A contact who is known by a number and a name, and has no conversation. */
  async person(database: Database): Promise<{ contactId: number; name: string; phone: string }> {
    const message = firstMessage(undefined)
    const { id } = await inTransaction(database, (db) => contactOf(db, identityOf(message)))
    return { contactId: id, name: message.name, phone: message.phone }
  },

  /**
   * A conversation in which a new client has written 'oi': everything that receiving it leaves, without the
   * way through the gateway. The simulator knows the client's number, but no message of theirs; `newTalk` is
   * for those who go on writing.
   * @param who a user who may see it
   */
  async conversation(t: TestApp, who: Client, number?: string): Promise<Conversation> {
    const message = firstMessage(number)
    t.simulator.control.createPhone({ name: message.name, number: message.phone })
    const id = await inTransaction(t.database, async (db) => {
      await receiveMessage(db, t.instanceId, message)
      const [made] = await rows<{ id: number }>(
        db,
        sql`select conversation_id as id from messages where whatsapp_message_id = ${message.waId}`,
      )
      return made?.id
    })
    const { status, body } = await who.request<Conversation>('GET', `/api/conversations/${id}`)
    if (status !== 200) throw new Error(`no conversation: ${JSON.stringify(body)}`)
    return body
  },
}
