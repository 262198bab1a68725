import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { mergeContacts } from '#server/conversations/incoming/merge.ts'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { insertConversation } from '#server/conversations/store/write.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { createUser } from '#server/users/users.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { saying } from '#server/testing/test-person.ts'
import { addressOf, contactOf, type Identity } from './identity.ts'

let last = 0

const t = forAllTests(testDatabaseWithNumber)

/** The number and LID of a new person. */
function person() {
  last++
  const phone = `55119820${String(last).padStart(5, '0')}`
  const lid = `18273645${String(last).padStart(7, '0')}`
  return { phone, lid, phoneJid: `${phone}@s.whatsapp.net`, lidJid: `${lid}@lid` }
}
type Person = ReturnType<typeof person>

type By = (who: Person, name?: string) => Identity
const byPhone: By = ({ phone, phoneJid: jid }, name) => ({ phone, lid: undefined, jid, name })
const byLid: By = ({ lid, lidJid: jid }, name) => ({ phone: undefined, lid, jid, name })
const byBoth: By = ({ phone, lid, phoneJid: jid }, name) => ({ phone, lid, jid, name })

const find = (identity: Identity, database: Database = t.database) =>
  inTransaction(database, (db) => contactOf(db, identity))

const contactRow = async (id: number) =>
  (
    await t.sql<{ name: string; phone: string | null; isDeleted: boolean }>`
      select name, phone, deleted_at is not null as "isDeleted" from contacts where id = ${id}`
  )[0]
const livingContacts = (who: Person) =>
  t.sql<{ id: number }>`select distinct c.id from contacts c join contact_identities i on i.contact_id = c.id
         where c.deleted_at is null and i.value in (${who.phone}, ${who.lid}) order by c.id`

let lastWa = 0
const write = (identity: Identity, text = 'oi') =>
  inTransaction(t.database, (db) => {
    const { name, ...peer } = identity
    return receiveMessage(db, t.instanceId, {
      kind: 'message',
      waId: `IDENTITY${++lastWa}`,
      peer,
      origin: 'contact',
      name,
      sentAt: undefined,
      content: saying(text),
      quoted: undefined,
      isHistory: false,
    })
  })

interface Kept extends Record<string, unknown> {
  id: number
  contactId: number
  status: string
  subStatus: string
  waitingFor: string
  assignedUserId: number | null
  messageCount: number
  texts: string[] | null
  lastText: string | null
  isQueued: boolean
}
const conversationsOf = (...contactIds: number[]) =>
  t.sql<Kept>`select c.id, c.contact_id as "contactId", c.status, c.sub_status as "subStatus",
               c.waiting_for as "waitingFor", c.assigned_user_id as "assignedUserId",
               c.message_count as "messageCount",
               (select json_agg(m.content order by m.sort_at, m.id) from messages m
                 where m.conversation_id = c.id) as texts,
               (select m.content from messages m where m.id = c.last_message_id) as "lastText",
               exists (select 1 from queue_pending_conversations q
                 where q.conversation_id = c.id and q.processed_at is null) as "isQueued"
          from conversations c where c.contact_id in (${sql.join(
            contactIds.map((id) => sql`${id}`),
            sql`, `,
          )}) order by c.id`

test('an identity of a new person makes one contact with their name and number', async () => {
  const who = person()
  const { id, otherId } = await find(byPhone(who, 'Maria'))
  expect(otherId).toBeUndefined()
  expect(await contactRow(id)).toEqual({ name: 'Maria', phone: who.phone, isDeleted: false })
  expect((await find(byPhone(who))).id).toBe(id)
})

test('an identity without a name is called by the number, and a LID alone by a hidden one', async () => {
  const who = person()
  expect((await contactRow((await find(byPhone(who))).id))?.name).toMatch(/^\(11\) 9820/)
  expect(await contactRow((await find(byLid(person()))).id)).toMatchObject({
    name: 'Número oculto',
    phone: null,
  })
})

test.each<[string, By[]]>([
  ['number, then both', [byPhone, byBoth]],
  ['LID, then both', [byLid, byBoth]],
  ['both, then each', [byBoth, byPhone, byLid]],
  ['number, both, LID', [byPhone, byBoth, byLid]],
  ['LID, both, number', [byLid, byBoth, byPhone]],
])('a client found by %s remains one contact', async (_name, ways) => {
  const who = person()
  const ids = []
  for (const way of ways) ids.push((await find(way(who, 'Maria'))).id)
  expect(new Set(ids).size).toBe(1)
  expect(await livingContacts(who)).toHaveLength(1)
  expect(await contactRow(ids[0] ?? 0)).toMatchObject({ name: 'Maria', phone: who.phone })
})

test('an identity that joins two contacts names both, the one with the number first', async () => {
  for (const order of [
    [byPhone, byLid],
    [byLid, byPhone],
  ] as const) {
    const who = person()
    for (const way of order) await find(way(who))
    const withPhone = (await find(byPhone(who))).id
    const withLid = (await find(byLid(who))).id
    expect(await find(byBoth(who))).toMatchObject({ id: withPhone, otherId: withLid })
  }
})

test('an identity asked for twenty times at once, over two instances, makes one contact', async () => {
  const who = person()
  const other = t.openAgain()
  const ways = [byPhone, byLid, byBoth]
  const found = await Promise.all(
    Array.from({ length: 21 }, (_, n) => {
      const way = ways[n % 3] ?? byBoth
      return find(n === 0 ? byBoth(who) : way(who), n % 2 === 0 ? t.database : other)
    }),
  )
  expect(found).toHaveLength(21)
  expect((await livingContacts(who)).length).toBeLessThanOrEqual(2)
  const joined = await find(byBoth(who))
  if (joined.otherId !== undefined)
    await inTransaction(t.database, (db) => mergeContacts(db, joined.id, joined.otherId ?? 0))
  expect(await livingContacts(who)).toHaveLength(1)
})

test('an identity keeps a name that somebody typed, and follows the gateway’s otherwise', async () => {
  const who = person()
  const { id } = await find(byPhone(who, 'Mari'))
  await find(byPhone(who, 'Maria Souza'))
  expect((await contactRow(id))?.name).toBe('Maria Souza')
  await find(byPhone(who))
  expect((await contactRow(id))?.name).toBe('Maria Souza')
  await t.sql`update contacts set name = 'Dona Maria', has_gateway_name = false where id = ${id}`
  await find(byPhone(who, 'Mari'))
  expect((await contactRow(id))?.name).toBe('Dona Maria')
})

test('an identity is answered at the number as the gateway wrote it, else at the LID', async () => {
  const who = person()
  const short = { ...byPhone(who), jid: `${who.phone.replace(/^(55\d\d)9/, '$1')}@s.whatsapp.net` }
  const { id } = await find(byLid(who))
  expect(await addressOf(t.database, id)).toBe(who.lidJid)
  await find(byBoth(who))
  expect(await addressOf(t.database, id)).toBe(who.phoneJid)
  await find(short)
  expect(await addressOf(t.database, id)).toBe(short.jid)
})

test('a contact is addressed by the digits until the gateway has given the address', async () => {
  const who = person()
  const typed: Identity = { ...byPhone(who), jid: who.phone }
  const { id } = await find(typed)
  expect(await addressOf(t.database, id)).toBe(who.phone)
  // A message from their LID names the number, not its address.
  await find({ ...byBoth(who), jid: who.lidJid })
  expect(await addressOf(t.database, id)).toBe(who.phone)
  await find(byPhone(who))
  expect(await addressOf(t.database, id)).toBe(who.phoneJid)
  await find({ ...byBoth(who), jid: who.lidJid })
  await find(typed)
  expect(await addressOf(t.database, id)).toBe(who.phoneJid)
})

test('a deleted contact who writes again is a new one with the number and the LID', async () => {
  const who = person()
  const { id } = await find(byBoth(who, 'Antiga'))
  await t.sql`update contacts set deleted_at = app_now() where id = ${id}`
  const again = await find(byPhone(who, 'Nova'))
  expect(again.id).not.toBe(id)
  expect(await find(byBoth(who))).toMatchObject({ id: again.id, otherId: undefined })
  expect((await find(byLid(who))).id).toBe(again.id)
  expect(await contactRow(again.id)).toMatchObject({ name: 'Nova', phone: who.phone })
  expect(await contactRow(id)).toMatchObject({ name: 'Antiga', isDeleted: true })
})

describe('two contacts that turn out to be one person', () => {
  const join = (who: Person) => write(byBoth(who), 'os dois')

  test('the one open conversation of two contacts that become one goes on', async () => {
    const who = person()
    await write(byLid(who, 'Maria'), 'pelo lid')
    await find(byPhone(who, 'Maria'))
    await join(who)
    const [living] = await livingContacts(who)
    expect(await conversationsOf(living?.id ?? 0)).toMatchObject([
      {
        status: 'waiting',
        texts: ['pelo lid', 'os dois'],
        lastText: 'os dois',
        messageCount: 2,
        isQueued: true,
      },
    ])
  })

  test.each<[string, By[]]>([
    ['the number first', [byPhone, byLid]],
    ['the LID first', [byLid, byPhone]],
  ])('both with an open conversation, %s: one stays open with all messages in order', async (_name, ways) => {
    const who = person()
    for (const [index, way] of ways.entries()) await write(way(who), `primeira ${index}`)
    for (const [index, way] of ways.entries()) await write(way(who), `segunda ${index}`)
    const before = await livingContacts(who)
    expect(before).toHaveLength(2)
    await join(who)
    const [living, ...others] = await livingContacts(who)
    expect(others).toEqual([])
    const all = await conversationsOf(...before.map((row) => row.id))
    expect(all.map((row) => row.contactId)).toEqual([living?.id, living?.id])
    const open = all.filter((row) => row.status !== 'completed')
    expect(open).toMatchObject([
      {
        id: Math.min(...all.map((row) => row.id)),
        texts: ['primeira 0', 'primeira 1', 'segunda 0', 'segunda 1', 'os dois'],
        lastText: 'os dois',
        messageCount: 5,
        waitingFor: 'operator',
        isQueued: true,
      },
    ])
    const gone = all.filter((row) => row.status === 'completed')
    expect(gone).toMatchObject([{ texts: null, messageCount: 0, lastText: null, isQueued: false }])
  })

  test('an operator who has one of the two keeps the client, and the queue forgets both', async () => {
    const operator = await createUser(t.database, {
      username: `op-${last}`,
      email: `op-${last}@teste.example`,
      name: 'Op',
      password: 'senha-de-teste',
      role: 'operator',
    })
    const who = person()
    await write(byLid(who), 'na fila')
    await write(byPhone(who), 'com o operador')
    const contacts = (await livingContacts(who)).map((row) => row.id)
    const [, younger] = await conversationsOf(...contacts)
    await inTransaction(t.database, async (db) => {
      const conversation = await lockConversation(db, younger?.id ?? 0)
      if (!conversation) throw new Error('no conversation')
      await updateConversation(db, conversation, {
        assignedUserId: operator,
        status: 'active',
        subStatus: 'OPERADOR',
      })
      await db.execute(
        sql`update queue_pending_conversations set processed_at = app_now()
             where conversation_id = ${younger?.id}`,
      )
    })
    await join(who)
    const open = (await conversationsOf(...contacts)).filter((row) => row.status !== 'completed')
    expect(open).toMatchObject([
      { assignedUserId: operator, status: 'active', subStatus: 'OPERADOR', isQueued: false, messageCount: 3 },
    ])
  })

  test('what waits to be sent in either goes on from the one that stays, in order', async () => {
    const who = person()
    const contacts = [(await find(byPhone(who))).id, (await find(byLid(who))).id]
    const conversations = await inTransaction(t.database, async (db) => {
      const made = []
      for (const contactId of contacts) {
        const conversation = await insertConversation(db, {
          instanceId: t.instanceId,
          contactId,
          initiatedBy: 'operator',
        })
        if (!conversation) throw new Error('no conversation')
        await insertOutgoing(db, conversation, { content: `para ${contactId}` })
        made.push(conversation.id)
      }
      return made
    })
    await join(who)
    const waiting = await t.sql<{ conversationId: number; content: string }>`
      select o.conversation_id as "conversationId", m.content
           from outbox o join messages m on m.id = o.message_id
           where o.conversation_id in (${conversations[0]}, ${conversations[1]}) order by o.id`
    expect(waiting).toEqual(
      contacts.map((id) => ({ conversationId: conversations[0], content: `para ${id}` })),
    )
  })

  test('a merge of two contacts is written down, and everybody is notified', async () => {
    const who = person()
    await write(byLid(who))
    await write(byPhone(who))
    const contacts = (await livingContacts(who)).map((row) => row.id)
    const conversations = (await conversationsOf(...contacts)).map((row) => row.id)
    await t.sql`truncate events`
    await join(who)
    const reported = await t.sql<{ conversationId: number }>`
      select distinct conversation_id as "conversationId" from events where type = 'conversation_updated'
           order by 1`
    expect(reported.map((row) => row.conversationId)).toEqual(conversations)
    const [living] = await livingContacts(who)
    const audit = await t.sql<{ resourceId: string }>`
      select resource_id as "resourceId" from audit_logs where action = 'contact.merge'
           order by id desc limit 1`
    expect(audit).toEqual([{ resourceId: String(living?.id) }])
  })

  test('while both write at once nothing is lost and one conversation is open', async () => {
    for (let round = 0; round < 8; round++) {
      const who = person()
      await write(byLid(who), 'lid')
      await write(byPhone(who), 'número')
      await Promise.all([
        write(byLid(who), 'a'),
        write(byBoth(who), 'b'),
        write(byPhone(who), 'c'),
        write(byBoth(who), 'd'),
      ])
      const contacts = await livingContacts(who)
      expect(contacts).toHaveLength(1)
      const open = (await conversationsOf(contacts[0]?.id ?? 0)).filter((row) => row.status !== 'completed')
      expect(open).toHaveLength(1)
      expect(open[0]?.texts?.toSorted()).toEqual(['a', 'b', 'c', 'd', 'lid', 'número'])
      expect(open[0]?.messageCount).toBe(6)
    }
  })
})
