import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListFilters } from '#shared/views/list-filters.ts'
import type { ConversationPage } from '#shared/conversations/conversations.ts'
import { listTabs } from '#shared/conversations/list/list-view.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { someone } from '#server/testing/plain-who.ts'
import { forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { listOpenRows, meetsInSql } from './test-list.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bia = forAllTests(() => t.signIn('operator', 'bia'))

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const talks = 400

/** The values of each kind of filter that are asked for, with one that no conversation has. */
let values: { [Kind in keyof Required<ListFilters>]: NonNullable<ListFilters[Kind]>[] }

/** What keeps the clocks would compute them anew. */
let isKept = true
let keeping: Promise<void>
afterAll(() => {
  isKept = false
  return keeping
})

/** A world of random conversations: some of everything, some of nothing. */
beforeAll(async () => {
  await new Promise<void>((locked, failed) => {
    keeping = inTransaction(t.database, async (db) => {
      await lockName(db, 'sla-clocks')
      locked()
      // A transaction that does nothing for long is ended.
      while (isKept) await db.execute(sql`select pg_sleep(0.5)`)
    })
    keeping.catch(failed)
  })
  const [made] = await rows<{ sectors: number[]; tags: number[] }>(
    t.database,
    sql`with s as (insert into sectors (name, color)
          select 'Setor ' || n, '#2563eb' from generate_series(1, 3) n returning id),
        g as (insert into conversation_tags (name, color)
          select 'Etiqueta ' || n, '#2563eb' from generate_series(1, 4) n returning id)
        select array(select id from s) as sectors, array(select id from g) as tags`,
  )
  if (!made) throw new Error('no world was made')
  const numbers = [t.instanceId, await addNumber(t, 'segundo')]
  const pick = (ids: readonly number[]) =>
    sql`(${sql.param(ids)}::int[])[1 + floor(random() * ${ids.length})::int]`
  await t.database.transaction(async (db) => {
    await db.execute(sql`select setseed(${seed / 1_000_000}::float8)`)
    await db.execute(sql`
      insert into contacts (name, phone, category)
      select 'Cliente ' || n, '55119' || lpad(n::text, 8, '0'),
             (array['general', 'vip', 'VIP', 'lead'])[1 + floor(random() * 4)::int]
        from generate_series(1, ${talks}) n`)
    await db.execute(sql`
      insert into conversations (contact_id, instance_id, protocol, status, sub_status, waiting_for,
             assigned_user_id, sector_id, priority, waiting_since, tag_ids, contact_message_count)
      select c.id, ${pick(numbers)}, '20261130' || lpad(c.id::text, 6, '0'),
             case when o.held then 'active' else 'waiting' end,
             case when o.held then 'OPERADOR' else 'FILA' end,
             case when o.waits then 'operator' else 'client' end,
             case when o.held then ${pick([ana.userId, bia.userId])} end,
             case when random() < 0.7 then ${pick(made.sectors)} end,
             (array['low', 'normal', 'high'])[1 + floor(random() * 3)::int],
             case when o.waits then app_now() - (floor(random() * 90) + 0.5) * interval '1 minute' end,
             array(select x from unnest(${sql.param(made.tags)}::int[]) x where c.id > 0 and random() < 0.3),
             floor(random() * 3)::int
        from contacts c,
             lateral (select c.id > 0 and random() < 0.6 as held, c.id > 0 and random() < 0.5 as waits) o`)
    await db.execute(sql`
      insert into conversation_reads (user_id, conversation_id, last_message_id, contact_message_count)
      select ${ana.userId}, id, 0, floor(random() * 3)::int from conversations where random() < 0.6`)
    // Of those who do not wait, some are on hold; of all, some have a clock, or two.
    await db.execute(sql`
      update conversations set snoozed_until = app_now() + (1 + floor(random() * 90)) * interval '1 minute'
       where waiting_for = 'client' and status = 'active' and random() < 0.5`)
    await db.execute(sql`
      insert into sla_clocks (conversation_id, seen, reply_due_at, reply_near_at, reply_kept, end_due_at,
             end_near_at)
      select v.id, '', r.due, r.due - interval '10 minutes', case when random() < 0.3 then true end,
             e.due, e.due - interval '20 minutes'
        from conversations v,
             lateral (select case when v.id > 0 and random() < 0.6
                                  then app_now() + (floor(random() * 60) - 30) * interval '1 minute'
                                       + interval '30 seconds' end as due) r,
             lateral (select case when v.id > 0 and random() < 0.6
                                  then app_now() + (floor(random() * 60) - 30) * interval '1 minute'
                                       + interval '45 seconds' end as due) e
       where random() < 0.7`)
    await db.execute(sql`insert into events (type) values ('queue_changed')`)
  })
  const unknown = 999_999
  values = {
    instanceId: [...numbers, unknown],
    sectorId: [...made.sectors, 'none', unknown],
    personId: [ana.userId, bia.userId, 'none', unknown],
    category: ['general', 'vip', 'lead', 'nenhuma'],
    tagId: [...made.tags, 'none', unknown],
    priority: ['low', 'normal', 'high'],
    waitingMinutes: [1, 15, 60, 10_000],
    unread: ['only'],
    sla: ['near', 'broken'],
    snoozed: ['only', 'too'],
  }
})

async function listed(filters: ListFilters): Promise<number[]> {
  const found: number[] = []
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ page: `${page}`, limit: '100', order: 'activity' })
    for (const [name, value] of Object.entries(filters)) query.set(name, String(value))
    const { conversations: some, pagination } = await ana.get<ConversationPage>(
      `/api/conversations?${query.toString()}`,
    )
    found.push(...some.map(({ id }) => id))
    if (!pagination.hasNextPage) {
      expect(pagination.totalItems).toBe(found.length)
      return found.toSorted((a, b) => a - b)
    }
  }
}

async function stored(filters: ListFilters): Promise<number[]> {
  const found = await t.database
    .select({ id: conversations.id })
    .from(conversations)
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(
      and(
        isOpen,
        filters.snoozed === undefined ? isNull(conversations.snoozedUntil) : undefined,
        meetsInSql(filters, ana.userId),
      ),
    )
    .orderBy(conversations.id)
  return found.map(({ id }) => id)
}

const kinds = [
  'instanceId',
  'sectorId',
  'personId',
  'category',
  'tagId',
  'priority',
  'waitingMinutes',
  'unread',
  'sla',
  'snoozed',
] as const satisfies (keyof ListFilters)[]

test('every filter alone lists and counts what PostgreSQL finds', async () => {
  expect(await stored({ snoozed: 'too' })).toHaveLength(talks)
  for (const kind of kinds)
    for (const value of values[kind]) {
      const filters = { [kind]: value } as ListFilters
      expect({ filters, ids: await listed(filters) }).toEqual({ filters, ids: await stored(filters) })
    }
})

test(`every combination of two filters lists what PostgreSQL finds (SEED=${seed})`, async () => {
  let some = 0
  for (const [at, first] of kinds.entries())
    for (const second of kinds.slice(at + 1))
      for (const a of values[first])
        for (const b of values[second]) {
          const filters = { [first]: a, [second]: b } as ListFilters
          const ids = await stored(filters)
          if (ids.length > 0) some++
          expect({ filters, ids: await listed(filters) }).toEqual({ filters, ids })
        }
  // Most of them find something, or nothing would be compared.
  expect(some).toBeGreaterThan(200)
}, 120_000)

test('what is on hold is listed in a tab as the filter says, and by the clock that ends first', async () => {
  let some = 0
  for (const tab of listTabs)
    for (const snoozed of [undefined, 'only', 'too'] as const)
      for (const sla of [undefined, 'near', 'broken'] as const)
        for (const order of ['sla', 'return'] as const) {
          const filters = { ...(snoozed && { snoozed }), ...(sla && { sla }) }
          const query = new URLSearchParams({ page: '1', limit: '100', tab, order, ...filters })
          const { conversations: found } = await ana.get<ConversationPage>(
            `/api/conversations?${query.toString()}`,
          )
          const view = {
            search: '',
            tab,
            order,
            userId: ana.userId,
            who: someone,
            filters,
            limit: 100,
            offset: 0,
          }
          const expected = (await listOpenRows(t.database, view)).map(({ conversation }) => conversation.id)
          if (expected.length > 0) some++
          const asked = { tab, snoozed, sla, order }
          expect({ asked, ids: found.map(({ id }) => id) }).toEqual({ asked, ids: expected })
        }
  expect(some).toBeGreaterThan(60)
}, 60_000)

test('a filter that no conversation can meet is refused', async () => {
  for (const query of [
    'tagId=0',
    'priority=urgent',
    'sla=late',
    'snoozed=no',
    'waitingMinutes=0',
    'waitingMinutes=99999',
    'unread=yes',
  ])
    expect((await ana.request('GET', `/api/conversations?${query}`)).status).toBe(400)
})
