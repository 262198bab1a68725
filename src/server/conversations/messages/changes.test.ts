import { expect, test } from 'vitest'
import type { DeliveryStatus } from '#shared/messages/delivery.ts'
import { unsupportedMessage } from '#shared/text/text.ts'
import { contactOf } from '#server/contacts/contacts.ts'
import { inTransaction, type Tx } from '#server/platform/database/db.ts'
import { eventually, forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { type MessageChange, recordChange } from './changes.ts'
import { movesForward } from './deliveries.ts'
import { recordFailed, recordSent } from './sent.ts'
import { handleBatch } from '#server/conversations/incoming/batch.ts'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import { listMessageRows } from '#server/conversations/store/message-rows.ts'
import { toMessage } from '#server/conversations/store/serializers.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { insertConversation } from '#server/conversations/store/write.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { permutations } from '#server/testing/inputs/permutations.ts'
import { saying } from '#server/testing/test-person.ts'
import { spread } from '#server/testing/nightly.ts'

let last = 0

const t = forAllTests(testDatabaseWithNumber)

/** A conversation with somebody new. */
async function newConversation(db: Tx): Promise<Locked> {
  const phone = `55119840${String(++last).padStart(5, '0')}`
  const peer = { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` }
  const { id: contactId } = await contactOf(db, { ...peer, name: `N ${last}` })
  const made = await insertConversation(db, { instanceId: t.instanceId, contactId, initiatedBy: 'contact' })
  if (!made) throw new Error('no conversation')
  return made
}

/** An outgoing message that waits to be sent. */
const newMessage = (content = 'olá') =>
  inTransaction(t.database, async (db) => {
    const { id } = await insertOutgoing(db, await newConversation(db), { content })
    return id
  })

const change = (one: MessageChange) => inTransaction(t.database, (db) => recordChange(db, t.instanceId, one))
const ack = (waId: string, status: DeliveryStatus) =>
  change({ kind: 'delivery', waId, status, peer: undefined })
const link = (messageId: number, waId: string) =>
  inTransaction(t.database, (db) => recordSent(db, messageId, { waId, acceptedAt: undefined }))

async function wireOf(messageId: number) {
  const [row] = await listMessageRows(t.database, [messageId])
  if (!row) throw new Error('no message')
  return toMessage(row)
}
const byWaId = async (waId: string) => {
  const [row] = await t.sql<{ id: number }>`select id from messages where whatsapp_message_id = ${waId}`
  return wireOf(row?.id ?? 0)
}

test.each<[DeliveryStatus | null, DeliveryStatus, boolean]>([
  ['pending', 'sent', true],
  ['sending', 'delivered', true],
  ['unknown', 'sent', true],
  ['sent', 'failed', true],
  ['failed', 'sent', false],
  ['failed', 'delivered', true],
  ['delivered', 'failed', false],
  ['read', 'failed', false],
  ['read', 'delivered', false],
  ['played', 'read', false],
  ['delivered', 'delivered', false],
  // A contact's message has no ticks.
  [null, 'read', false],
])('the status of a message moves from %s to %s: %s', (from, to, moves) => {
  expect(movesForward(from, to)).toBe(moves)
})

test('each step is one newer version and one event, and what changes nothing is neither', async () => {
  const id = await newMessage()
  await link(id, 'STEPS')
  const before = await wireOf(id)
  const eventsOf = async () => (await t.sql`select 1 from events where message_id = ${id}`).length
  const count = await eventsOf()
  for (const status of ['delivered', 'sent', 'delivered', 'read', 'delivered'] as const)
    await ack('STEPS', status)
  expect((await wireOf(id)).version).toBe(before.version + 2)
  expect(await eventsOf()).toBe(count + 2)
})

test('a message that was proven to be sent does not fail by what somebody decides later', async () => {
  const id = await newMessage()
  await link(id, 'PROVEN')
  await inTransaction(t.database, (db) => recordFailed(db, id, 'unconfirmed'))
  expect(await wireOf(id)).toMatchObject({ deliveryStatus: 'sent', failureReason: null })
})

test('the first id stays: an answer that comes after the echo changes nothing', async () => {
  const id = await newMessage()
  await link(id, 'FIRST')
  await ack('FIRST', 'read')
  await link(id, 'FIRST')
  await link(id, 'SECOND')
  expect(await wireOf(id)).toMatchObject({ whatsappMessageId: 'FIRST', deliveryStatus: 'read' })
})

test('ticks of a message that nobody knows are kept, and touch nobody else', async () => {
  const id = await newMessage()
  await link(id, 'KNOWN')
  await ack('STRANGER', 'read')
  expect(await wireOf(id)).toMatchObject({ deliveryStatus: 'sent' })
  const kept = await t.sql`select kind from pending_updates where whatsapp_message_id = 'STRANGER'`
  expect(kept).toEqual([{ kind: 'delivery' }])
})

/** Holds the transaction open after its work, until it is told to commit. */
async function held(work: (db: Tx) => Promise<unknown>) {
  const done = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const finished = inTransaction(t.database, async (db) => {
    await work(db)
    done.resolve()
    await release.promise
  })
  await done.promise
  return { commit: () => (release.resolve(), finished) }
}
/** Until it is over, or so many wait for somebody. */
const overOrWaiting = async (work: Promise<unknown>, waiting = 1) => {
  let isOver = false
  void work.finally(() => (isOver = true))
  await eventually(
    async () =>
      isOver ||
      (
        await t.sql`select 1 from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock'`
      ).length >= waiting,
    Boolean,
  )
}

test('a tick is not put aside behind the back of the answer that names the message', async () => {
  const id = await newMessage()
  const answer = await held((db) => recordSent(db, id, { waId: 'MOMENT', acceptedAt: undefined }))
  const tick = ack('MOMENT', 'delivered')
  await overOrWaiting(tick)
  await answer.commit()
  await tick
  expect(await wireOf(id)).toMatchObject({ deliveryStatus: 'delivered' })
})

test('the answer that names the message is not blind to a tick that is being put aside', async () => {
  const id = await newMessage()
  const read = { kind: 'delivery', status: 'read', peer: undefined } as const
  const tick = await held((db) => recordChange(db, t.instanceId, { ...read, waId: 'MOMENT-2' }))
  const answer = link(id, 'MOMENT-2')
  await overOrWaiting(answer)
  await tick.commit()
  await answer
  expect(await wireOf(id)).toMatchObject({ deliveryStatus: 'read' })
})

test('an edit is not put aside behind the back of the message that it edits', async () => {
  const arrival = await held((db) => receiveMessage(db, t.instanceId, arrivedOf('MOMENT-3')))
  const edit = change({
    kind: 'edit',
    waId: 'MOMENT-3',
    content: 'corrigida',
    editedAtMs: 1_760_000_000_000,
  })
  await overOrWaiting(edit)
  await arrival.commit()
  await edit
  expect(await byWaId('MOMENT-3')).toMatchObject({ content: 'corrigida' })
})

test('a message, its repetition, and reports on it never wait for one another', async () => {
  for (const n of [0, 1, 2, 3, 4]) {
    const first = arrivedOf(`MOMENT-4-${n}`)
    await inTransaction(t.database, (db) => receiveMessage(db, t.instanceId, first))
    const next = { ...first, waId: `MOMENT-5-${n}` }
    const arrival = await held((db) => receiveMessage(db, t.instanceId, next))
    // Whoever ends in a deadlock begins anew.
    let begun = 0
    const again = inTransaction(t.database, (db) => {
      begun++
      return handleBatch(db, t.instanceId, [next])
    })
    await overOrWaiting(again)
    const news = inTransaction(t.database, (db) => {
      begun++
      const edit = { content: 'corrigida', editedAtMs: 1_760_000_000_000 }
      return recordChange(db, t.instanceId, { kind: 'edit', waId: next.waId, ...edit })
    })
    await overOrWaiting(news, 2)
    await arrival.commit()
    await Promise.all([again, news])
    expect(begun).toBe(2)
    expect(await byWaId(next.waId)).toMatchObject({ content: 'corrigida' })
  }
})

/** A contact's message with the id. */
function arrivedOf(waId: string) {
  const phone = `55119830${String(++last).padStart(5, '0')}`
  return {
    kind: 'message' as const,
    waId,
    peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
    origin: 'contact' as const,
    name: `C ${last}`,
    sentAt: undefined,
    content: saying('original'),
    quoted: undefined,
    isHistory: false,
  }
}

const history = (waId: string) => {
  const changes: MessageChange[] = [
    { kind: 'edit', waId, content: 'primeira correção', editedAtMs: 1_760_000_100_000 },
    { kind: 'edit', waId, content: 'segunda correção', editedAtMs: 1_760_000_200_000 },
    { kind: 'reaction', waId, emoji: '👍', from: 'user', sentAtMs: 1_760_000_300_000 },
    { kind: 'delete', waId },
  ]
  const arrival = () => inTransaction(t.database, (db) => receiveMessage(db, t.instanceId, arrivedOf(waId)))
  return [arrival, ...changes.map((one) => () => change(one))]
}

test('every order of its arrival, two edits, a reaction and its deletion ends in the same', async () => {
  const ends = new Set<string>()
  for (const order of spread(permutations([0, 1, 2, 3, 4]), 20)) {
    const waId = `HISTORY${++last}`
    const steps = history(waId)
    for (const step of order) await steps[step]?.()
    const { id, content, editedAt, deletedAt, reactions } = await byWaId(waId)
    const versions = await t.sql<{ content: string }>`
      select content from message_versions where message_id = ${id} order by content`
    ends.add(JSON.stringify({ content, editedAt, isDeleted: deletedAt !== null, reactions, versions }))
  }
  expect([...ends].map((end) => JSON.parse(end) as unknown)).toEqual([
    {
      content: 'segunda correção',
      editedAt: new Date(1_760_000_200_000).toISOString(),
      isDeleted: true,
      reactions: [{ emoji: '👍', from: 'user' }],
      versions: [{ content: 'original' }, { content: 'primeira correção' }],
    },
  ])
})

const versionsOf = async (waId: string) => {
  const { id } = await byWaId(waId)
  const found = await t.sql<{ content: string }>`
    select content from message_versions where message_id = ${id} order by said_at nulls first, id`
  return found.map(({ content }) => content)
}

const firstEditAt = 1_760_000_000_000
const edit = (content: string, afterMs: number, isUpperBound?: true) => ({
  kind: 'edit' as const,
  content,
  editedAtMs: firstEditAt + afterMs,
  ...(isUpperBound && { isUpperBound }),
})
const four = ['primeira', 'segunda', 'primeira', 'quarta'].map((content, n) => edit(content, n * 900_000))
const beforeFourth = ['original', 'primeira', 'segunda', 'primeira']

// The gateway's record gives an edit the time of reading; its webhook may come at any time.
test.each<[string, ReturnType<typeof edit>[], string[], string?]>([
  ['four edits', four, beforeFourth],
  ['four, one of which the record has', [...four, edit('primeira', 2_400_000, true)], beforeFourth],
  ['four, the last of which the record has', [...four, edit('quarta', 8_700_000, true)], beforeFourth],
  [
    'two, while the record was asked at the beginning and answered with what had been written by then',
    [edit('um', 2000), edit('dois', 5000), edit('dois', 0, true), edit('dois', 3_600_000, true)],
    ['original', 'um'],
  ],
  [
    'two, of a message that was found with its last text',
    [edit('um', 2000), edit('dois', 5000), edit('dois', 60_000, true)],
    ['um'],
    'dois',
  ],
])('edits reported in any order, twice, are stored once each: %s', async (what, edits, versions, found) => {
  const { content, editedAtMs } = edits.findLast((one) => !('isUpperBound' in one)) ?? edit('', 0)
  for (const order of spread(permutations([...edits.keys()]), 24)) {
    const waId = `${what} ${++last}`
    const arrived = arrivedOf(waId)
    await inTransaction(t.database, (db) =>
      receiveMessage(
        db,
        t.instanceId,
        found ? { ...arrived, isSwept: true, content: saying(found) } : arrived,
      ),
    )
    const editedAt = new Date(editedAtMs).toISOString()
    for (const steps of [order, order.toReversed()]) {
      for (const step of steps) await change({ ...(edits[step] ?? edit('', 0)), waId })
      expect(await byWaId(waId), order.join()).toMatchObject({ content, editedAt })
      expect(await versionsOf(waId), order.join()).toEqual(versions)
    }
  }
})

test('a deleted message without content in the record has no earlier text that was none', async () => {
  const waId = `EMPTY${++last}`
  const arrived = arrivedOf(waId)
  const content = { ...arrived.content, messageType: 'unsupported', content: unsupportedMessage } as const
  await inTransaction(t.database, (db) => receiveMessage(db, t.instanceId, { ...arrived, content }))
  await change({ kind: 'delete', waId })
  for (const [n, text] of ['um', 'dois'].entries())
    await change({ kind: 'edit', waId, content: text, editedAtMs: 1_760_000_000_000 + n * 1000 })
  expect(await versionsOf(waId)).toEqual(['um'])
})

test('a message that was found with its last text is not its own earlier text', async () => {
  const waId = `FOUND${++last}`
  await history(waId)[0]?.()
  const at = 1_760_000_000_000
  const edit = { kind: 'edit', waId, content: 'original' } as const
  await change({ ...edit, editedAtMs: at + 3_600_000, isUpperBound: true })
  expect(await byWaId(waId)).toMatchObject({ editedAt: new Date(at + 3_600_000).toISOString() })
  await change({ ...edit, content: 'a correção anterior', editedAtMs: at })
  await change({ ...edit, editedAtMs: at + 600_000 })
  expect(await byWaId(waId)).toMatchObject({
    content: 'original',
    editedAt: new Date(at + 600_000).toISOString(),
  })
  expect(await versionsOf(waId)).toEqual(['a correção anterior'])
})

test.each([-1500, 1500])('an edit is one, reported by two clocks that lie %i ms apart', async (apartMs) => {
  const waId = `CLOCKS${++last}`
  await history(waId)[0]?.()
  const edit = (content: string, editedAtMs: number) => change({ kind: 'edit', waId, content, editedAtMs })
  const at = 1_760_000_100_000
  await edit('dois', at)
  await edit('três', at + 60_000)
  await edit('três', at + 60_000 + apartMs)
  await edit('dois', at + apartMs)
  expect((await byWaId(waId)).content).toBe('três')
  expect(await versionsOf(waId)).toEqual(['original', 'dois'])
})

test('the newest reaction of each side counts, also one that was taken back', async () => {
  const waId = `REACT${++last}`
  await history(waId)[0]?.()
  const react = (emoji: string, from: 'contact' | 'user', sentAtMs: number) =>
    change({ kind: 'reaction', waId, emoji, from, sentAtMs })
  await react('❤️', 'contact', 1_760_000_000_000)
  await react('👍', 'user', 1_760_000_000_000)
  expect((await byWaId(waId)).reactions).toHaveLength(2)
  await react('😂', 'contact', 1_760_000_002_000)
  await react('😮', 'contact', 1_760_000_001_000)
  expect((await byWaId(waId)).reactions).toContainEqual({ emoji: '😂', from: 'contact' })
  await react('', 'contact', 1_760_000_003_000)
  await react('😡', 'contact', 1_760_000_002_500)
  expect((await byWaId(waId)).reactions).toEqual([{ emoji: '👍', from: 'user' }])
})

test('an edit by a phone whose clock runs years ahead does not make later edits older ones', async () => {
  const waId = `AHEAD${++last}`
  await history(waId)[0]?.()
  await change({ kind: 'edit', waId, content: 'do futuro', editedAtMs: Date.UTC(9998, 0) })
  expect((await byWaId(waId)).content).toBe('do futuro')
  await change({ kind: 'edit', waId, content: 'ainda depois', editedAtMs: Date.UTC(9998, 0, 2) })
  expect((await byWaId(waId)).content).toBe('ainda depois')
})

test.each([
  ['an edit', { kind: 'edit', content: 'às quinze', editedAtMs: Date.now() }],
  ['a deletion', { kind: 'delete' }],
] as const)('%s is pushed with its quotes in another conversation', async (name, changed) => {
  const waId = `QUOTED ${name}`
  const messageId = await newMessage('às catorze')
  await link(messageId, waId)
  const [quoting] = await t.sql<{ id: number }>`with other as (
          insert into conversations (instance_id, contact_id, protocol, status, completed_at)
          select ${t.instanceId}, c.contact_id, '2026112090' || lpad(m.id::text, 4, '0'), 'completed', now()
            from conversations c join messages m on m.conversation_id = c.id where m.id = ${messageId}
          returning id)
        insert into messages (conversation_id, instance_id, sender_type, content, quoted_whatsapp_id,
                              sort_at, sent_at)
        select id, ${t.instanceId}, 'contact', 'e as catorze?', ${waId}, now(), now() from other returning id`
  await t.sql`delete from events`
  await change({ ...changed, waId })
  const reported = await t.sql<{ messageId: number }>`
    select message_id as "messageId" from events where type = 'new_message' order by message_id`
  expect(reported.map((event) => event.messageId)).toEqual([messageId, quoting?.id])
})
