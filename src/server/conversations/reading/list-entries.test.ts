import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { eventually, testDatabase, type TestDatabase, testNumber } from '#server/testing/test-app.ts'
import { type ListEntry, patchEntries } from './list-entries.ts'
import { createListSnapshot, type ListSnapshot } from './list-snapshot.ts'
import { listConversationRows } from '#server/conversations/store/rows.ts'
import { listOpenRows } from './test-list.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'
import { someone } from '#server/testing/plain-who.ts'

const people = 12

const whole = {
  search: '',
  tab: 'all',
  order: 'start',
  who: someone,
  filters: {},
} as const

let t: TestDatabase
let instanceId: number
let snapshot: ListSnapshot

beforeAll(async () => {
  t = await testDatabase()
  instanceId = await testNumber(t.database)
  await t.sql`insert into contacts (name) select 'Cliente ' || n from generate_series(1, ${people}) n`
  snapshot = createListSnapshot(t.database)
})
afterAll(async () => {
  snapshot.stop()
  await t.close()
})

interface Change {
  kind: 'open' | 'close' | 'queue' | 'take' | 'restart' | 'rename'
  person: number
  /** Start in microseconds after a fixed instant; several conversations share one. */
  us: number
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('open', 'close', 'queue', 'take', 'restart', 'rename'),
  person: fc.integer({ min: 1, max: people }),
  us: fc.constantFrom(0, 1, 2, 999, 1000, 1_000_000),
})

const startedAt = (us: number) =>
  sql`timestamptz '2026-03-04 05:06:07.000001Z' + ${us} * interval '1 microsecond'`
const openOf = (person: number) => sql`contact_id = ${person} and status <> 'completed'`

const statementOf = ({ kind, person, us }: Change) => {
  const returning = sql`returning id`
  switch (kind) {
    case 'open':
      return sql`insert into conversations (instance_id, contact_id, protocol, started_at, waiting_for)
        values (${instanceId}, ${person}, '20260304' || lpad(nextval('conversation_protocol')::text, 6, '0'),
                ${startedAt(us)}, ${us % 2 ? 'operator' : 'client'})
        on conflict do nothing ${returning}`
    case 'close':
      return sql`update conversations set status = 'completed', completed_at = now()
                  where ${openOf(person)} ${returning}`
    case 'queue':
      return sql`update conversations set sub_status = 'FILA', waiting_for = 'operator'
                  where ${openOf(person)} ${returning}`
    case 'take':
      return sql`update conversations set sub_status = 'OPERADOR', version = version + 1
                  where ${openOf(person)} ${returning}`
    case 'restart':
      return sql`update conversations set started_at = ${startedAt(us)} where ${openOf(person)} ${returning}`
    case 'rename':
      return sql`with named as (update contacts set name = 'Cliente ' || ${us}::text,
                                               notes = concat_ws(',', notes, 'Cliente ' || ${us}::text)
                                         where id = ${person})
        select id from conversations where ${openOf(person)}`
  }
}

/**
 * Commits the changes in one transaction, each with its event.
 * @returns the ids of the conversations that were changed
 */
const commit = (database: Database, changes: Change[]) =>
  inTransaction(database, async (db) => {
    const changed: number[] = []
    for (const one of changes) {
      // As whoever opens a conversation or renames a contact does: neither misses the other.
      await db.execute(sql`select from contacts where id = ${one.person} for no key update`)
      for (const { id } of await rows<{ id: number }>(db, statementOf(one))) changed.push(id)
    }
    for (const conversationId of changed) db.emit({ type: 'conversation_updated', conversationId })
    return changed
  })

const shown = async () =>
  JSON.parse((await snapshot.whole({ who: someone, filters: {} })).bytes.toString()) as Conversation[]
const stored = async () => (await listOpenRows(t.database)).map(toConversation)

test('a patched list equals the database after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
      async (all) => {
        for (const changes of all) {
          await commit(t.database, changes)
          expect(await shown()).toEqual(await stored())
          const page = JSON.parse(
            (await snapshot.page({ page: 2, limit: 3, ...whole })).bytes.toString(),
          ) as {
            conversations: Conversation[]
          }
          expect(page.conversations).toEqual((await stored()).slice(3, 6))
        }
      },
    ),
    { numRuns: 15 },
  )
})

test('a patched list equals the database after concurrent changes', async () => {
  const elsewhere = t.openAgain()
  const drawn = fc.sample(fc.array(change, { minLength: 15, maxLength: 15 }), { numRuns: 12, seed: 20 })
  // No name is given twice.
  let lastName = people
  const plans = drawn.map((plan) =>
    plan.map((one) => (one.kind === 'rename' ? { ...one, us: ++lastName } : one)),
  )
  for (let round = 0; round < 3; round++) {
    let isOver = false
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const list = await shown()
        const places = list.flatMap(({ queuePosition }) => (queuePosition > 0 ? [queuePosition] : []))
        expect(places).toEqual(places.map((_, at) => at + 1))
        expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)
        await sleep(1)
      }
    })
    await Promise.all(
      plans.slice(round * 4, round * 4 + 4).map(async (plan, at) => {
        for (const one of plan) {
          const changed = await commit(at % 2 ? elsewhere : t.database, [one])
          // The next answer contains what this process has committed.
          if (at === 0 && one.kind === 'rename') await expectName(one, changed)
        }
      }),
    ).finally(() => (isOver = true))
    await Promise.all(asking)
    await eventually(
      async () => ({ shown: await shown(), stored: await stored() }),
      (both) => isDeepStrictEqual(both.shown, both.stored),
    )
  }
})

test('a patched list reads only what has changed, whatever else is open', async () => {
  await commit(
    t.database,
    Array.from({ length: people }, (_, at): Change => ({ kind: 'open', person: at + 1, us: at })),
  )
  await shown()
  // A change without an event: it shows only when the whole list is read.
  await t.sql`update contacts set is_blocked = true where id = 3`
  await commit(t.database, [{ kind: 'take', person: 4, us: 0 }])
  const blocked = (await shown()).filter(({ contact }) => contact.isBlocked)
  expect(blocked).toEqual([])
  await inTransaction(t.database, async (db) => db.emit({ type: 'settings_changed' }))
  expect((await shown()).filter(({ contact }) => contact.isBlocked)).toHaveLength(1)
})

test('a patch that must be run again, since a prepared statement was lost, misses no change', async () => {
  const one = t.openAgain()
  one.pool.options.max = 1
  const listed = createListSnapshot(one)
  const nameOf = async () =>
    (JSON.parse((await listed.whole({ who: someone, filters: {} })).bytes.toString()) as Conversation[]).find(
      ({ contact }) => contact.id === 1,
    )?.contact.name
  await commit(one, [{ kind: 'open', person: 1, us: 0 }])
  for (const us of [1, 2]) {
    await nameOf()
    await commit(one, [{ kind: 'rename', person: 1, us }])
    // The statement that reads the changed rows, after the log.
    const lost = await rows<{ name: string }>(
      one,
      sql`select name from pg_prepared_statements where statement like '%extract(epoch%any(%';`,
    )
    for (const { name } of lost) await one.pool.query(`deallocate "${name}"`)
    expect(lost).toHaveLength(us === 1 ? 0 : 1)
    expect(await nameOf()).toBe(`Cliente ${us}`)
  }
  listed.stop()
})

/**
 * Expects the new name, or one of those that others have given since, on a conversation that was open. What
 * was closed in another process may still be shown, as it was before.
 */
async function expectName({ person, us }: Change, changed: number[]) {
  const entry = (await shown()).find(({ id }) => changed.includes(id))
  if (!entry) return
  const [contact] = await t.sql<{ notes: string }>`select notes from contacts where id = ${person}`
  const names = contact?.notes.split(',') ?? []
  expect(names.slice(names.indexOf(`Cliente ${us}`))).toContain(entry.contact.name)
}

test('entries that a change leaves as they are stay the same objects', () => {
  const entry = (id: number, isQueued: boolean, queuePosition: number | null): ListEntry => ({
    conversation: { id, queuePosition } as Conversation,
    isQueued,
    startedAtUs: id,
  })
  const before = [
    entry(1, true, 1),
    entry(2, true, 2),
    entry(3, true, 3),
    entry(9, false, null),
    entry(8, false, null),
  ]
  const after = patchEntries(before, new Set([2]), [entry(2, false, null)])
  expect(after.map(({ conversation: { id, queuePosition } }) => [id, queuePosition])).toEqual([
    [1, 1],
    [3, 2],
    [9, null],
    [8, null],
    [2, null],
  ])
  expect([after[0], after[2], after[3]]).toEqual([before[0], before[3], before[4]])
  expect(after[0]).toBe(before[0])
  expect(after[2]).toBe(before[3])
  expect(before.map(({ conversation }) => conversation.queuePosition)).toEqual([1, 2, 3, null, null])
})

test('a few conversations read by id have the places that all of them have', async () => {
  await commit(
    t.database,
    Array.from({ length: people }, (_, at): Change => ({
      kind: at % 3 ? 'queue' : 'take',
      person: at + 1,
      us: at,
    })),
  )
  const all = (await stored()).map(({ id, queuePosition }) => ({ id, queuePosition }))
  expect(all.filter(({ queuePosition }) => queuePosition > 0).length).toBeGreaterThan(4)
  const few = await Promise.all(all.map(({ id }) => listConversationRows(t.database, [id])))
  const many = await listConversationRows(
    t.database,
    all.map(({ id }) => id),
  )
  const place = (rows: typeof many) =>
    rows.map(({ conversation, queuePosition }) => ({
      id: conversation.id,
      queuePosition: queuePosition ?? 0,
    }))
  expect(place(few.flat())).toEqual(all)
  expect(place(many).toSorted((a, b) => a.id - b.id)).toEqual(all.toSorted((a, b) => a.id - b.id))
})
