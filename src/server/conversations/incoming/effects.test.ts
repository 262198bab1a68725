import { type SQL, sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { createUser } from '#server/users/users.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { person, type Person } from '#server/testing/test-person.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

const t = forAllTests(testDatabaseWithNumber)

afterEach(() => resetSettings(t.database))

async function feed(...events: GatewayEvent[]): Promise<void> {
  for (const event of events)
    await inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, event))
}

interface Shown extends Record<string, unknown> {
  id: number
  status: string
  sub: string
  waits: string
  since: number | null
  began: number
  isHistory: boolean
  texts: string[]
}

const minutesSince = (base: number, column: SQL) =>
  sql`round(extract(epoch from ${column} - ${new Date(base).toISOString()}::timestamptz) / 60)::int`

/** The conversations of somebody, oldest first, with minutes of their clock. */
const conversationsOf = ({ phone, lid, base }: Person) =>
  t.sql<Shown>`
    select v.id, v.status, v.sub_status as sub, v.waiting_for as waits, v.is_history as "isHistory",
               ${minutesSince(base, sql`v.waiting_since`)} as since,
               ${minutesSince(base, sql`v.started_at`)} as began,
               coalesce((select array_agg(m.content order by m.sort_at, m.id)
                           from messages m where m.conversation_id = v.id), '{}') as texts
          from conversations v join contacts c on c.id = v.contact_id
         where exists (select 1 from contact_identities i
                        where i.contact_id = c.id and i.value in (${phone}, ${lid}))
         order by v.started_at, v.id`

const contactsOf = ({ phone, lid }: Person) =>
  t.sql<{
    id: number
    name: string
    phone: string | null
    isBlocked: boolean
    notes: string | null
    tags: string[]
  }>`select c.id, c.name, c.phone, c.is_blocked as "isBlocked", c.notes, c.tags from contacts c
         where c.deleted_at is null
           and exists (select 1 from contact_identities i
                        where i.contact_id = c.id and i.value in (${phone}, ${lid}))
         order by c.id`

/** What was reported of a conversation, in order. */
const reportedOf = async (conversationId: number) =>
  (
    await t.sql<{ type: string }>`
      select type from events where conversation_id = ${conversationId} order by tx, seq`
  ).map((row) => row.type)

const isQueued = async (conversationId: number) =>
  (
    await t.sql`select 1 from queue_pending_conversations
           where conversation_id = ${conversationId} and processed_at is null`
  ).length === 1

const now = 30

test('a phone message without an open conversation is silently kept', async () => {
  const p = person()
  await feed(p.byPhone('seu pedido saiu', now))
  const [kept] = await conversationsOf(p)
  expect(kept).toMatchObject({ status: 'completed', isHistory: true, texts: ['seu pedido saiu'] })
  expect(await isQueued(kept?.id ?? 0)).toBe(false)
  expect(await reportedOf(kept?.id ?? 0)).toEqual(['new_message'])
})

test('a phone message in an open conversation is appended, and the client waits no more', async () => {
  const p = person()
  await feed(p.writes('oi', now), p.byPhone('oi, Maria', now + 1))
  expect(await conversationsOf(p)).toMatchObject([
    { status: 'waiting', waits: 'client', since: null, texts: ['oi', 'oi, Maria'] },
  ])
})

test('a phone message does not answer when the settings say so', async () => {
  await saveSettings(t.database, { phoneAnswersCount: false })
  const p = person()
  await feed(p.writes('oi', 1), p.byPhone('oi, Maria', 2))
  expect(await conversationsOf(p)).toMatchObject([{ waits: 'operator', since: 1 }])
})

test('a phone message answers only what was written before it', async () => {
  const p = person()
  await feed(p.writes('oi', 1), p.writes('alguém?', 5), p.byPhone('oi, Maria', 2))
  expect(await conversationsOf(p)).toMatchObject([{ waits: 'operator', since: 5 }])
})

test('a phone message in the same second as a first message keeps the order of arrival', async () => {
  const p = person()
  await feed(p.writes('oi', 1), p.byPhone('oi, Maria', 1))
  expect(await conversationsOf(p)).toMatchObject([{ waits: 'client', texts: ['oi', 'oi, Maria'] }])
  const q = person()
  await feed(q.byPhone('oi, Maria', 1), q.writes('oi', 1))
  expect(await conversationsOf(q)).toMatchObject([
    { isHistory: true, texts: ['oi, Maria'] },
    { isHistory: false, waits: 'operator', texts: ['oi'] },
  ])
})

test('a late phone message from before the conversation is only kept', async () => {
  const p = person()
  await feed(p.writes('oi', 10), p.byPhone('seu pedido saiu', 2))
  expect(await conversationsOf(p)).toMatchObject([
    { isHistory: true, texts: ['seu pedido saiu'] },
    { isHistory: false, waits: 'operator', texts: ['oi'] },
  ])
})

test.each<[string, number, string[]]>([
  ['of now rings', now, ['new_conversation_with_sound', 'message_received']],
  [
    'of a quarter of an hour ago enters the queue without a sound',
    15,
    ['new_conversation', 'message_received'],
  ],
  ['of yesterday is kept without a notification', now - 60 * 25, ['new_message']],
])('a message of a contact %s', async (_, minute, reported) => {
  const p = person()
  await feed(p.writes('oi', minute))
  const [only] = await conversationsOf(p)
  expect(await reportedOf(only?.id ?? 0)).toEqual(reported)
  expect(await isQueued(only?.id ?? 0)).toBe(minute > 0)
  expect(only).toMatchObject({ began: minute, isHistory: minute < 0 })
})

test('a message of an impossible time is taken for one of now, or of a month ago', async () => {
  const future = person()
  await feed(future.writes('de 2035', 60 * 24 * 365 * 9))
  expect(await conversationsOf(future)).toMatchObject([{ status: 'waiting', began: now }])
  const past = person()
  await feed(past.writes('de 1970', -60 * 24 * 365 * 50))
  const [kept] = await conversationsOf(past)
  expect(kept).toMatchObject({ isHistory: true })
  const daysTo = (time: SQL) => sql`round(extract(epoch from now() - ${time}) / 86400)::int`
  const [message] = await t.sql<{ days: number; began: number }>`
    select ${daysTo(sql`m.sort_at`)} as days, ${daysTo(sql`c.started_at`)} as began
          from messages m join conversations c on c.id = m.conversation_id
         where c.id = ${kept?.id}`
  expect(message).toEqual({ days: 30, began: 30 })
})

test('a message first brought by the history sync is still queued', async () => {
  const p = person()
  await feed(p.writes('oi', now, { isHistory: true }))
  expect(await conversationsOf(p)).toMatchObject([{ isHistory: true }])
  await feed(p.writes('oi', now))
  const [only, ...none] = await conversationsOf(p)
  expect(none).toEqual([])
  expect(only).toMatchObject({ isHistory: false, status: 'waiting', texts: ['oi'] })
  expect(await reportedOf(only?.id ?? 0)).toContain('new_conversation_with_sound')
})

const answer = (conversationId: number) =>
  inTransaction(t.database, async (db) => {
    const username = `op${conversationId}`
    const senderId = await createUser(db, {
      username,
      email: `${username}@teste.example`,
      name: username,
      password: 'senha-de-teste',
      role: 'operator',
    })
    const conversation = await lockConversation(db, conversationId)
    if (!conversation) throw new Error('no conversation')
    await insertOutgoing(db, conversation, { content: 'pois não', senderId })
    await updateConversation(db, conversation, { waitingFor: 'client', waitingSince: null })
  })

test('a reply does not answer a message that had not arrived yet', async () => {
  const p = person()
  await feed(p.writes('oi', 1))
  await answer((await conversationsOf(p))[0]?.id ?? 0)
  await feed(p.writes('é urgente', 2))
  expect(await conversationsOf(p)).toMatchObject([
    { waits: 'operator', since: 2, texts: ['oi', 'é urgente', 'pois não'] },
  ])
})

test('a call that nobody takes is a line in a conversation that waits in the queue', async () => {
  const p = person()
  await feed(p.calls('c1', now, 'ringing'))
  expect(await conversationsOf(p)).toMatchObject([
    { sub: 'FILA', waits: 'operator', texts: ['Chamada de voz'] },
  ])
  await feed(p.calls('c1', now, 'missed'), p.calls('c1', now, 'missed'))
  const [only, ...none] = await conversationsOf(p)
  expect(none).toEqual([])
  expect(only).toMatchObject({ waits: 'operator', texts: ['Chamada de voz perdida'] })
  expect(await isQueued(only?.id ?? 0)).toBe(true)
})

test('a call with picture is called so, though only its offer says it', async () => {
  const p = person()
  await feed(p.calls('c1', now, 'missed'), p.calls('c1', now, 'ringing', true))
  expect(await conversationsOf(p)).toMatchObject([{ texts: ['Chamada de vídeo perdida'] }])
})

test('a call that was taken on the connected phone waits for nobody', async () => {
  const p = person()
  await feed(p.calls('c1', now, 'ringing'), p.calls('c1', now, 'answered'), p.calls('c1', now, 'missed'))
  expect(await conversationsOf(p)).toMatchObject([
    { waits: 'client', since: null, texts: ['Chamada de voz atendida no celular'] },
  ])
})

test('a call in an open conversation makes the client wait again', async () => {
  const p = person()
  await feed(p.writes('oi', 1), p.byPhone('oi, Maria', 2), p.calls('c1', 3, 'missed'))
  expect(await conversationsOf(p)).toMatchObject([
    { waits: 'operator', since: 3, texts: ['oi', 'oi, Maria', 'Chamada de voz perdida'] },
  ])
})

test('a change of a message never opens a conversation, or changes who waits', async () => {
  const p = person()
  const changes = [
    p.edit('fantasma', 1, 'x'),
    p.remove('fantasma'),
    p.react('fantasma', 1, '👍'),
    p.vote('fantasma', 1, ['9h']),
    p.pin('fantasma', 1, true),
    p.ack('fantasma', 'read'),
    p.isCalled('Maria da agenda'),
  ]
  await feed(...changes)
  expect(await conversationsOf(p)).toEqual([])
  expect(await contactsOf(p)).toEqual([])
  await feed(p.writes('oi', 1), p.byPhone('oi, Maria', 2))
  const before = await conversationsOf(p)
  await feed(p.edit('oi', 3, 'olá'), p.react('oi', 3, '👍'), p.pin('oi', 3, true), p.remove('oi'))
  expect(await conversationsOf(p)).toMatchObject([{ ...before[0], texts: ['olá', 'oi, Maria'] }])
})

test('one person by number, then under the LID with the number, is one contact', async () => {
  const p = person()
  await feed(p.writes('um', 1), p.writes('dois', 2))
  await feed(
    p.writes('um', 1, { address: 'both' }),
    p.writes('dois', 2, { address: 'both' }),
    p.writes('três', 3, { address: 'both' }),
  )
  expect(await contactsOf(p)).toHaveLength(1)
  expect(await conversationsOf(p)).toMatchObject([{ texts: ['um', 'dois', 'três'] }])
})

test.each<['phone' | 'lid', 'phone' | 'lid']>([
  ['phone', 'lid'],
  ['lid', 'phone'],
])('the very same message as %s and as %s says who is who', async (first, second) => {
  const p = person()
  await feed(p.writes('um', 1, { address: first }), p.writes('só do outro lado', 2, { address: second }))
  expect(await contactsOf(p)).toHaveLength(2)
  await feed(p.writes('um', 1, { address: second }))
  expect(await contactsOf(p)).toMatchObject([{ phone: p.phone }])
  const living = (await conversationsOf(p)).filter((one) => one.status !== 'completed')
  expect(living).toMatchObject([{ texts: ['um', 'só do outro lado'] }])
})

test.each<[string, object]>([
  ['other words', { content: { messageType: 'text', content: 'outra coisa', metadata: {} } }],
  ['another second', { sentAt: new Date() }],
])('a known id with %s makes nobody somebody else', async (_, forged) => {
  const p = person()
  const q = person()
  await feed(p.writes('um', 1), q.writes('eu sou outro', 2, { address: 'lid' }))
  const stolen = p.writes('um', 1)
  const peer = { phone: undefined, lid: q.lid, jid: `${q.lid}@lid` }
  await feed({ ...stolen, peer, ...forged } as GatewayEvent)
  expect(await contactsOf(p)).toHaveLength(1)
  expect(await contactsOf(q)).toHaveLength(1)
  expect((await contactsOf(p))[0]?.id).not.toBe((await contactsOf(q))[0]?.id)
  expect(await conversationsOf(p)).toMatchObject([{ texts: ['um'] }])
})

test('one person under two addresses keeps what was entered, and stays blocked if either was', async () => {
  const p = person()
  await feed(p.writes('um', 1), p.writes('dois', 2, { address: 'lid' }))
  const [byPhone, byLid] = await contactsOf(p)
  await t.sql`update contacts set notes = 'do número', tags = '{vip,novo}' where id = ${byPhone?.id}`
  await t.database
    .execute(sql`update contacts set name = 'Dona Maria', has_gateway_name = false, notes = 'do LID',
    tags = '{novo,rua}', is_blocked = true where id = ${byLid?.id}`)
  await feed(p.writes('três', 3, { address: 'both' }))
  expect(await contactsOf(p)).toMatchObject([
    {
      id: byPhone?.id,
      name: 'Dona Maria',
      isBlocked: true,
      notes: 'do número\n\ndo LID',
      tags: ['vip', 'novo', 'rua'],
    },
  ])
  // As when somebody is blocked: what is open is completed, and what comes is not taken in.
  expect((await conversationsOf(p)).map((one) => one.status)).toEqual(['completed', 'completed'])
  expect((await conversationsOf(p)).flatMap((one) => one.texts)).not.toContain('três')
})

test('a merge is pushed to whoever sees a message that moves', async () => {
  const p = person()
  await feed(p.writes('zero', 1, { quoted: { waId: p.id('dois'), content: 'dois' } }))
  const [first] = await conversationsOf(p)
  await t.sql`update conversations set status = 'completed', completed_at = now(), waiting_for = 'client',
               waiting_since = null where id = ${first?.id}`
  await feed(p.writes('um', 2), p.writes('dois', 3, { address: 'lid' }))
  const open = (await conversationsOf(p)).filter((one) => one.status !== 'completed')
  expect(open.map((one) => one.texts)).toEqual([['um'], ['dois']])
  await t.sql`delete from events`
  await feed(p.writes('três', 4, { address: 'both' }))
  for (const { id } of open) expect(await reportedOf(id)).toContain('timeline_changed')
  expect(await reportedOf(first?.id ?? 0)).toEqual(['new_message'])
})

test('the younger of two open conversations of one person leaves a note where it went', async () => {
  const p = person()
  await feed(
    p.writes('um', 1),
    p.writes('dois', 2, { address: 'lid' }),
    p.writes('três', 3, { address: 'both' }),
  )
  const [left] = await t.sql<{ notes: string; protocol: string }>`
    select v.notes, o.protocol from conversations v join conversations o
          on o.contact_id = v.contact_id and o.status <> 'completed'
         where v.status = 'completed' and v.contact_id = ${(await contactsOf(p))[0]?.id}`
  expect(left?.notes).toBe(`Continua na conversa ${left?.protocol}`)
})

test('the name of a contact is the one of the newest message, whichever comes last', async () => {
  const p = person()
  await feed(p.writes('um', 5, { name: 'Maria Nova' }), p.writes('dois', 1, { name: 'Maria Velha' }))
  expect(await contactsOf(p)).toMatchObject([{ name: 'Maria Nova' }])
})

test('the name of a contact comes from the address book only while no message brought one', async () => {
  const p = person()
  await feed(p.byPhone('oi', 1), p.isCalled('Maria da agenda'))
  expect(await contactsOf(p)).toMatchObject([{ name: 'Maria da agenda' }])
  await feed(p.writes('oi', 2, { name: 'Maria' }), p.isCalled('Outra'))
  expect(await contactsOf(p)).toMatchObject([{ name: 'Maria' }])
})
