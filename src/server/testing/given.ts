import { sql } from 'drizzle-orm'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Role } from '#shared/permissions.ts'
import { record } from '#server/audit/audit.ts'
import { contactOf } from '#server/contacts/contacts.ts'
import { identityOf } from '#server/conversations/incoming/decide.ts'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { hashToken, randomToken } from '#server/platform/secrets.ts'
import { insertUser } from '#server/users/accounts/account-queries.ts'
import { listDuties } from '#server/users/second-factor/queries.ts'
import { hashPassword } from '#server/users/sign-in/passwords.ts'
import { insertSession } from '#server/users/sign-in/queries.ts'
import { newPhoneMessageId } from '#simulator/random.ts'
import type { Client, TestApp } from './test-app.ts'
import { saying } from './test-person.ts'

// What tests need before they begin, written without the calls and waits by which it comes about in use.

let people = 0
/** Hashing is slow by design, and all people of the tests have the same password. */
const hashes = new Map<string, Promise<string>>()

function hashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, known)
  return known
}

/** Inserts a user and a session, as creating the account and a login with the password leave them. */
export async function givenSession(
  database: Database,
  { role, username, password }: { role: Role; username: string; password: string },
): Promise<{ userId: number; token: string }> {
  const passwordHash = await hashOf(password)
  const name = username[0]?.toUpperCase() + username.slice(1)
  const email = `${username}@teste.example`
  const token = randomToken()
  const source = { address: '127.0.0.1', device: 'node' }
  const userId = await inTransaction(database, async (db) => {
    const id = await insertUser(db, { username, email, name, role, passwordHash })
    const sessionId = await insertSession(db, {
      tokenHash: hashToken(token),
      userId: id,
      mustEnroll: (await listDuties(db)).includes(role),
      userAgent: source.device,
      address: source.address,
    })
    await record(db, { id, name, role, sessionId, source }, { action: 'auth.login', resourceId: id })
    return id
  })
  return { userId, token }
}

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
