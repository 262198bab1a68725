import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { erasedName } from '#shared/erased.ts'
import type { ReportStats } from '#shared/reports/reports.ts'
import { verifyChain } from '#server/audit/audit.ts'
import { isErased } from '#server/contacts/contacts.ts'
import { sweepFiles } from '#server/media/media.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { declarationOf, schema, tableNames } from '#server/schema/schema.ts'
import { computeFacts } from '#server/reports/reports.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { sendEveryKind } from '#server/testing/inputs/every-kind.ts'
import { given } from '#server/testing/given.ts'
import { newTalk, type Talk } from '#server/testing/new-talk.ts'
import { someone } from '#server/testing/plain-who.ts'
import { above, eventually, forAllTests, testApp } from '#server/testing/test-app.ts'
import { anonymize as erase } from './erase.ts'
import { gatherPerson } from './person.ts'
import { findPerson } from '#server/testing/database/find-person.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

let marks = 0
/** A word that nothing else has. */
const newMark = () => `canario${++marks}${'xyzw'[marks % 4]}`
const newNumber = () => `551198765${String(1000 + ++marks)}`
const path = (id: number, rest = '') => `/api/conversations/${id}${rest}`
const anonymize = <Body = { proof: Record<string, number> }>(id: number, who = chefe) =>
  who.request<Body>('POST', `/api/contacts/${id}/anonymize`)
const contactOf = async (id: number) => await chefe.get<Contact>(`/api/contacts/${id}`)
const messagesOf = async (id: number) => await chefe.get<Message[]>(path(id, '/messages'))

const scan = (phone: string, ...also: string[]) => findPerson(t, phone, also)

/** Writes the word into every personal text of the person that takes any text. @returns the columns */
async function plant(contactId: number, mark: string): Promise<string[]> {
  const person = await gatherPerson(t.database, contactId)
  const planted: string[] = []
  for (const name of tableNames) {
    const { personal } = declarationOf(name)
    if (!personal) continue
    const columns = getTableColumns(schema[name]) as Record<
      string,
      { name: string; enumValues?: readonly string[]; getSQLType(): string }
    >
    for (const key of Object.keys(personal.columns)) {
      const column = columns[key]
      if (!column || column.enumValues?.length || ['phone', 'phoneNumber', 'value'].includes(key)) continue
      const own = sql.identifier(column.name)
      const value =
        column.getSQLType() === 'jsonb'
          ? sql`case jsonb_typeof(${own})
                     when 'object' then ${own} || jsonb_build_object('planted', ${mark}::text)
                     else ${own} || to_jsonb(${mark}::text) end`
          : column.getSQLType() === 'text[]'
            ? sql`array_append(${own}, ${mark}::text)`
            : column.getSQLType() === 'text'
              ? sql`coalesce(${own}, '') || ' ' || ${mark}::text`
              : undefined
      if (!value) continue
      const table = sql.identifier(getTableName(schema[name]))
      const { rowCount } = await t.database.execute(
        sql`update ${table} set ${own} = ${value} where ${personal.of(person)}`,
      )
      if (!rowCount) throw new Error(`nothing of the person in ${name}`)
      planted.push(`${name}.${key}`)
    }
  }
  return planted
}

/** A row of the person in every table that has rows of persons, where the main path leaves none. */
async function fillTables({ conversation }: Talk, waId: string, phone: string): Promise<void> {
  const { id, contactId } = conversation
  const { instanceId } = t
  await t.sql`insert into conversation_ratings
                (conversation_id, contact_id, operator_id, service_rating, operator_rating, feedback)
              values (${id}, ${contactId}, ${bruno.userId}, 5, 4, 'x')`
  await t.sql`insert into contact_merges (kept_id, merged_id, merged_by, undo)
              values (${contactId}, ${contactId}, ${bruno.userId}, '{"kept": {"name": "x"}}')`
  await t.sql`
    with made as (
      insert into contact_imports (file_name, stored_name, size_bytes, format, has_bom, headers, samples,
                                   first_rows, total_rows, mapping, uploaded_by)
      values ('x', ${`import-${waId}`}, 1, 'csv', false, '{a}', '{x}', '[["x"]]', 1, '["name"]',
              ${bruno.userId}) returning id)
    insert into contact_import_rows (import_id, line, outcome, contact_id, before, after, cells, value)
    select id, 2, 'updated', ${contactId}, '{"a": 1}', '{"a": 1}', '["x"]', 'x' from made`
  await t.sql`insert into scheduled_messages (conversation_id, author_id, content, send_at, asked_at,
                                             cancel_on_answer, only_open)
              values (${id}, ${bruno.userId}, 'x', app_now() + interval '1 day',
                      app_now() + interval '1 day', true, false)`
  await t.sql`insert into pending_updates (instance_id, whatsapp_message_id, kind, data)
              values (${instanceId}, ${waId}, 'edit', '{"content": "x"}')`
  await t.sql`insert into forgotten_messages
                (instance_id, whatsapp_message_id, message_id, contact_id, message_type, content)
              values (${instanceId}, ${`F${waId}`}, 1, ${contactId}, 'text', 'x')`
  await t.sql`insert into media_fetches (message_id, not_before, last_error)
              select id, now() + interval '1 day', 'x' from messages where conversation_id = ${id} limit 1`
  await t.sql`
    insert into webhook_inbox (instance_id, instance_name, event, dedupe_key, lane, payload, dead_reason)
    values (${instanceId}, 'loja1', 'x', ${`dead:${waId}`}, ${`loja1:${phone}`}, '{"a": 1}', 'x')`
  await t.sql`
    insert into pre_attendance_temp (instance_id, contact_id, conversation_id, phone_number, contact_name,
                                     stage)
    values (${instanceId}, ${contactId}, ${id}, ${phone}, 'x', 'cancelled')`
}

/** Figures of which reports are made. */
const figures = () =>
  t.sql`
    select (select jsonb_agg(f order by f) from (
              select m.conversation_id, m.message_type, m.sender_type, m.sender_id, count(*),
                     sum(m.response_ms), max(m.sort_at), min(m.sent_at), count(m.metadata ->> 'origin')
                from messages m where m.message_type <> 'event' group by 1, 2, 3, 4) f) as messages,
           (select jsonb_agg(jsonb_build_array(v.id, v.protocol, v.message_count, v.contact_message_count,
                                               v.assigned_user_id, v.satisfaction, v.initiated_by,
                                               v.started_at, v.priority) order by v.id)
              from conversations v) as conversations,
           (select jsonb_agg(jsonb_build_array(r.conversation_id, r.operator_id, r.service_rating,
                                               r.operator_rating, r.created_at) order by r.id)
              from conversation_ratings r) as ratings,
           (select count(*)::int from contacts where deleted_at is null) as contacts`

/** All rows of another person, as text. */
const rowsOf = (contactId: number) =>
  t.sql<{ text: string }>`
    select c::text as text from contacts c where c.id = ${contactId}
    union all select i::text from contact_identities i where i.contact_id = ${contactId}
    union all select v::text from conversations v where v.contact_id = ${contactId}
    union all select m::text from messages m join conversations v on v.id = m.conversation_id
               where v.contact_id = ${contactId}
    union all select f::text from files f join messages m on m.id = f.message_id
                join conversations v on v.id = m.conversation_id where v.contact_id = ${contactId}
    order by 1`

describe('a contact that is anonymized', () => {
  test('is found nowhere, in no table and in no file, whatever was written where', async () => {
    const mark = newMark()
    const number = newNumber()
    const talk = await newTalk(t, chefe, number)
    const { id, contactId } = talk.conversation
    const sent = sendEveryKind(t.simulator, talk.phoneId, mark)
    await t.settled()
    await eventually(() => t.sql`select 1 from files where message_id is not null`, { length: above(1) })
    await chefe.request('PATCH', path(id, '/assign-operator'), { operatorId: chefe.userId })
    await chefe.request('POST', path(id, '/messages'), { content: `resposta da equipe ${mark}` })
    await chefe.request('PUT', `/api/contacts/${contactId}`, {
      name: `Nome ${mark}`,
      email: `${mark}@a.example`,
      notes: `notas ${mark}`,
      tags: [mark],
    })
    await chefe.request('PUT', path(id, '/draft'), {
      content: `rascunho ${mark}`,
      quotedMessageId: null,
    })
    // Another person's conversation quotes a message of theirs, and has their card.
    const other = await newTalk(t, chefe)
    t.simulator.control.send(other.phoneId, {
      kind: 'contact',
      contacts: [
        { name: `Nome ${mark}`, phones: [{ number: `+${number}`, waid: number }] },
        { name: 'Loja', phones: [{ number: '+55 11 4002-8922' }] },
      ],
    })
    await t.settled()
    await t.sql`update messages set quoted_whatsapp_id = ${sent.text}, quoted_content = ${mark}
                 where conversation_id = ${other.conversation.id} and message_type = 'text'`
    await fillTables(talk, sent.text, number)
    const planted = await plant(contactId, mark)
    expect(planted.length).toBeGreaterThan(25)
    expect((await scan(number, mark)).length).toBeGreaterThan(30)
    const before = await figures()

    const { status, body } = await anonymize(contactId)
    expect([status, body.proof['conversations'], body.proof['contacts']]).toEqual([200, 1, 1])

    expect(await scan(number, mark)).toEqual([])
    expect(await figures()).toEqual(before)
    expect(await contactOf(contactId)).toMatchObject({
      name: erasedName,
      phone: null,
      email: null,
      notes: null,
      tags: [],
      company: null,
      avatarUrl: null,
      isErased: true,
    })
    // The other card of the list stays.
    const cards = (await messagesOf(other.conversation.id)).find(
      ({ messageType }) => messageType === 'contact',
    )
    expect(cards?.metadata.contacts?.map(({ name }) => name)).toEqual(['Loja'])
    await eventually(() => t.sql`select 1 from audit_logs where position is null`, { length: 0 })
    const chain = await verifyChain(t.database, () => undefined)
    expect([chain.breaks, chain.erased > 0]).toEqual([0, true])
  })

  test('leaves the totals of the reports as they were', async () => {
    const talk = await newTalk(t, chefe)
    const { id, contactId } = talk.conversation
    await bruno.request('POST', path(id, '/messages'), { content: 'bom dia' })
    await t.settled()
    await bruno.request('POST', path(id, '/finalize'), {})
    await t.settled()
    const year = new Date().getFullYear()
    const period = `startDate=${year - 1}-06-01&endDate=${year + 1}-05-31`
    const reports = async () => {
      await computeFacts(t.database)
      const parts = [`stats?${period}`, `groups?${period}&by=operator`, `operator-performance?${period}`]
      return Promise.all(
        parts.map(async (part) => {
          const { status, body } = await chefe.request<Partial<ReportStats>>('GET', `/api/reports/${part}`)
          expect(status, part).toBe(200)
          return body
        }),
      )
    }
    const before = await reports()
    expect(before[0]?.trend?.some(({ total, replied }) => total > 0 && replied > 0)).toBe(true)
    expect((await anonymize(contactId)).status).toBe(200)
    expect(await reports()).toEqual(before)
  })

  test('leaves one request without a value of his, and is known by a keyed hash', async () => {
    const number = newNumber()
    const { conversation } = await newTalk(t, chefe, number)
    await anonymize(conversation.contactId)
    const body = await chefe.get<{ requests: unknown[] }>('/api/privacy-requests')
    expect(body.requests[0]).toMatchObject({
      kind: 'anonymize',
      contactId: conversation.contactId,
      contactName: erasedName,
      userName: 'Chefe',
      proof: { conversations: 1 },
    })
    const unknown = newNumber()
    expect([...(await isErased(t.database, t.app.secrets, [number, unknown]))]).toEqual([number])
    // Without the key the hash of a number is another.
    const other = openSecrets('another-key-of-32-characters-long', t.config.dataDir)
    expect([...(await isErased(t.database, other, [number]))]).toEqual([])
  })

  test('has no open conversation any more, without a text, and what waits is not sent', async () => {
    const talk = await newTalk(t, chefe, newNumber())
    const { id, contactId } = talk.conversation
    await chefe.request('PATCH', path(id, '/assign-operator'), { operatorId: chefe.userId })
    await t.settled()
    // It waits, since it can still be undone.
    await saveSettings(t.database, { undoSendSeconds: 10 })
    await chefe.request('POST', path(id, '/messages'), { content: 'espera' })
    const received = () => t.simulator.control.chat(talk.phoneId).length
    const before = received()
    expect((await anonymize(contactId)).status).toBe(200)
    await saveSettings(t.database, { undoSendSeconds: 0 })
    await t.sql`update outbox set not_before = now()`
    const body = await chefe.get<Conversation>(path(id))
    expect([body.status, body.notes]).toEqual(['completed', null])
    expect(await t.sql`select state from outbox where conversation_id = ${id} and state <> 'sent'`).toEqual([
      { state: 'cancelled' },
    ])
    await t.settled()
    expect(received()).toBe(before)
  })

  test('is one person with contacts that were merged into his, and deleted ones of his number', async () => {
    const mark = newMark()
    const number = newNumber()
    const first = await newTalk(t, chefe, number)
    await bruno.request('POST', path(first.conversation.id, '/finalize'), {})
    await chefe.request('POST', path(first.conversation.id, '/finalize'), {})
    await chefe.request('PUT', `/api/contacts/${first.conversation.contactId}`, { name: `Antigo ${mark}` })
    expect((await chefe.request('DELETE', `/api/contacts/${first.conversation.contactId}`)).status).toBe(204)
    t.simulator.control.sendText(first.phoneId, `voltei ${mark}`)
    const again = await eventually(
      () => t.sql<{ id: number }>`select id from contacts where phone = ${number} and deleted_at is null`,
      { length: 1 },
    )
    const id = again[0]?.id ?? 0
    expect(id).not.toBe(first.conversation.contactId)
    await t.settled()
    expect((await anonymize(id)).status).toBe(200)
    expect(await scan(number, mark)).toEqual([])
  })

  test('leaves others as they are, also one whose number is nearly the same', async () => {
    const number = newNumber()
    const talk = await newTalk(t, chefe, number)
    const near = await newTalk(t, chefe, number.replace('5511987', '5511986'))
    sendEveryKind(t.simulator, near.phoneId, 'vizinho')
    await t.settled()
    // Fetched from the gateway later than the messages are stored.
    await eventually(
      () =>
        t.sql`select 1 from files f join messages m on m.id = f.message_id
               where m.conversation_id = ${near.conversation.id}`,
      { length: above(1) },
    )
    const before = await rowsOf(near.conversation.contactId)
    await anonymize(talk.conversation.contactId)
    expect(await rowsOf(near.conversation.contactId)).toEqual(before)
    const bodies = await t.sql`select 1 from webhook_inbox where payload::text like '%vizinho%'`
    expect(bodies.length).toBeGreaterThan(10)
  })
})

describe('anonymizing', () => {
  test('that is cut off before the files are deleted leaves them to the next sweep', async () => {
    const mark = newMark()
    const number = newNumber()
    const talk = await newTalk(t, chefe, number)
    sendEveryKind(t.simulator, talk.phoneId, mark)
    await t.settled()
    const ofPerson = () =>
      t.sql`select 1 from files f join messages m on m.id = f.message_id
             where m.conversation_id = ${talk.conversation.id}`
    await eventually(ofPerson, (found) => found.length >= 2)
    const who = { ...someone, id: chefe.userId, role: 'admin' } as const
    await erase(t.database, t.app.secrets, who, talk.conversation.contactId)
    const left = await scan(number, mark)
    expect(left.length).toBeGreaterThan(0)
    for (const place of left) expect(place).toContain('/uploads/')
    await sweepFiles(t.database, t.app.files)
    expect(await scan(number, mark)).toEqual([])
    expect(await t.sql`select 1 from files where is_erased`).toEqual([])
  })

  test('twice is refused the second time, and one of two at once is', async () => {
    const conversation = await given.conversation(t, chefe, newNumber())
    const both = await Promise.all([
      anonymize(conversation.contactId),
      anonymize<never>(conversation.contactId),
    ])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await anonymize(conversation.contactId)).status).toBe(409)
  })

  test('of a contact that does not exist is not found', async () => {
    expect((await anonymize(2_000_000_000)).status).toBe(404)
  })

  test('asks for the password again after ten minutes', async () => {
    const conversation = await given.conversation(t, chefe, newNumber())
    const late = await t.signIn('admin')
    await t.sql`update sessions set confirmed_at = app_now() - interval '11 minutes'
                 where user_id = ${late.userId}`
    const refused = await anonymize<{ code: string }>(conversation.contactId, late)
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.reauthenticate'])
    const zip = await late.request('GET', `/api/contacts/${conversation.contactId}/personal-data`)
    expect([zip.status, zip.body.code]).toEqual([403, 'auth.reauthenticate'])
  })

  test('while messages arrive and replies are written leaves nothing half done', async () => {
    for (let round = 0; round < 8; round++) {
      const mark = newMark()
      const number = newNumber()
      const talk = await newTalk(t, chefe, number)
      const { id, contactId } = talk.conversation
      await chefe.request('PATCH', path(id, '/assign-operator'), { operatorId: chefe.userId })
      for (let n = 0; n < 5; n++) t.simulator.control.sendText(talk.phoneId, `${mark} ${n}`)
      const [erased, replied] = await Promise.all([
        anonymize(contactId),
        chefe.request('POST', path(id, '/messages'), { content: `resposta ${mark}` }),
      ])
      expect(erased.status).toBe(200)
      expect([201, 409]).toContain(replied.status)
      await t.settled()
      const [of] = await t.sql<{ open: number; texts: number; identities: number }>`
        select (select count(*)::int from conversations where contact_id = ${contactId}
                   and status <> 'completed') as open,
               (select count(*)::int from messages m join conversations v on v.id = m.conversation_id
                 where v.contact_id = ${contactId} and m.content <> '') as texts,
               (select count(*)::int from contact_identities
                 where contact_id = ${contactId}) as identities`
      expect(of).toEqual({ open: 0, texts: 0, identities: 0 })
      // What came after that moment is of a new contact.
      for (const place of await scan(number)) expect(place).toMatch(/^(contact|webhook_inbox|messages)/)
    }
  })
})
