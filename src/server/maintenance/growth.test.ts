import { getTableName, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/database/db.ts'
import { type JobQueue, startJobQueue } from '#server/platform/jobs/job-queue.ts'
import { jobSchema } from '#server/platform/jobs/job-schema.ts'
import { createLog } from '#server/platform/log.ts'
import type { Trimmed } from '#server/schema/declare/ends.ts'
import { declarationOf, schema, type TableName, tableNames } from '#server/schema/schema.ts'
import { type MovableClock, movableClock } from '#server/testing/database/movable-clock.ts'
import { writePast } from '#server/testing/past.ts'
import { forAllTests, eventually, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { countOverdue, queueGrowth } from './growth.ts'

const trimmed = tableNames.flatMap((table): [TableName, Trimmed][] => {
  const rule = declarationOf(table).ends.trimmed
  return rule ? [[table, rule]] : []
})

let clock: MovableClock
let queue: JobQueue
let userId: number
let conversationId: number
let contactId: number

const t = forAllTests(() => testApp({}, { hasJobs: true, ...withoutJobs, planMs: 86_400_000 }))
beforeAll(async () => {
  clock = await movableClock(t.database)
  userId = (await t.signIn('admin')).userId
  queue = startJobQueue({ database: t.database, log: createLog('silent') }, [])
  await queue.ready()
})
afterAll(() => queue.stop())

describe('every table', () => {
  test('of the database is declared', async () => {
    const found = await t.sql<{ name: string }>`
      select case schemaname when 'public' then '' else schemaname || '.' end || tablename as name
        from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`
    const known = [
      ...tableNames.map((table) => getTableName(schema[table])),
      ...Object.keys(queueGrowth).map((name) => `${jobSchema}.${name}`),
      'drizzle.__drizzle_migrations',
      'test_clock',
    ]
    // Statistics of the queue have a part for each of its first two days.
    const names = found.map(({ name }) => name.replace(/_\d{8}$/, ''))
    expect(names.filter((name) => !known.includes(name))).toEqual([])
  })

  test('that is trimmed is so by a job that runs by itself', async () => {
    const scheduled = await eventually(
      () => t.sql<{ name: string }>`select name from pgboss.schedule`,
      (found) => trimmed.every(([, { by }]) => found.some(({ name }) => name === by)),
    )
    expect(scheduled.length).toBeGreaterThan(0)
  })
})

/** Runs a job of the app, as its schedule does. */
async function run(name: string): Promise<void> {
  const job = { name, afterCrash: 'again', work: () => Promise.resolve() } as const
  // One that its schedule has begun ends first.
  const id = await eventually(
    () => inTransaction(t.database, (db) => queue.start(db, job, { data: undefined })),
    Boolean,
  )
  await eventually(() => t.sql<{ state: string }>`select state from job_runs where id = ${id}`, {
    0: { state: 'done' },
  })
}

/** A conversation that is completed at this moment, with a message of a person. */
async function completeOne(): Promise<{ messageId: number }> {
  const past = await writePast(t, userId, 1)
  conversationId = past.conversationIds[0] ?? 0
  contactId = past.contactIds[0] ?? 0
  await t.sql`update conversations set completed_at = app_now() where id = ${conversationId}`
  const [message] = await t.sql<{ id: number }>`
    select max(id) as id from messages
     where conversation_id = ${conversationId} and sender_id is not null`
  return { messageId: message?.id ?? 0 }
}

const insert = (what: SQL) => t.sql`insert into ${what}`
const bodyOf = (key: string, columns: SQL, values: SQL) =>
  insert(sql`webhook_inbox (instance_name, event, dedupe_key, lane, payload, ${columns})
             values ('loja1', 'x', ${key}, 'l', '{}', ${values})`)
const addImport = (state: string) =>
  insert(sql`contact_imports (file_name, stored_name, size_bytes, format, has_bom, headers, samples,
                              first_rows, total_rows, mapping, state, uploaded_by)
             values ('a.csv', 'no-such-file-' || gen_random_uuid(), 1, 'csv', false, '{}', '{}', '[]', 1,
                     '[]', ${state}, ${userId})`)

/** A message of a conversation that is over, and its send. @returns its id */
async function addSend(state: 'sent' | 'failed'): Promise<number> {
  const { messageId } = await completeOne()
  await insert(sql`outbox (instance_id, conversation_id, message_id, state)
                   values (${t.instanceId}, ${conversationId}, ${messageId}, ${state})`)
  return messageId
}

/** Inserts a row of a conversation that is over. */
const ofOne = (what: () => SQL) => async () => {
  await completeOne()
  await insert(what())
}

/** Inserts what is over now, or begins its time: rows of each table that is trimmed. */
const seeds: Readonly<Record<string, () => Promise<unknown>>> = {
  async sessions() {
    await insert(sql`sessions (token_hash, user_id, ended_at) values ('ended', ${userId}, app_now())`)
    await insert(sql`sessions (token_hash, user_id) values ('idle', ${userId})`)
  },
  trustedDevices: () => insert(sql`trusted_devices (token_hash, user_id) values ('device', ${userId})`),
  rateLimits: () =>
    insert(
      sql`rate_limits (key, count, window_ends_at) values ('nobody:x', 1, app_now() + interval '1 minute')`,
    ),
  invitations: () =>
    insert(sql`invitations (token_hash, role, invited_by, expires_at, used_at)
               values ('used', 'operator', ${userId}, app_now(), app_now())`),
  contactMerges: ofOne(
    () => sql`contact_merges (kept_id, merged_id, merged_by, undo)
                     values (${contactId}, ${contactId}, ${userId}, '{}')`,
  ),
  contactImports: () => addImport('done'),
  async contactImportRows() {
    await addImport('done')
    await insert(sql`contact_import_rows (import_id, line, outcome)
                     select max(id), 2, 'created' from contact_imports`)
  },
  async webhookInbox() {
    await bodyOf('processed', sql`instance_id, processed_at`, sql`${t.instanceId}, app_now()`)
    await bodyOf('dead', sql`instance_id, dead_reason`, sql`${t.instanceId}, 'Error'`)
    await bodyOf('unknown', sql`attempts`, sql`0`)
  },
  conversationReads: ofOne(
    () => sql`conversation_reads (user_id, conversation_id, last_message_id, contact_message_count)
                     values (${userId}, ${conversationId}, 1, 1)`,
  ),
  conversationDrafts: ofOne(
    () => sql`conversation_drafts (user_id, conversation_id, content)
                     values (${userId}, ${conversationId}, 'oi')`,
  ),
  assistantTurns: ofOne(() => sql`assistant_turns (conversation_id) values (${conversationId})`),
  queuePendingConversations: completeOne,
  outbox: () => addSend('sent'),
  scheduledMessages: ofOne(
    () => sql`scheduled_messages (conversation_id, author_id, content, send_at, asked_at, cancel_on_answer,
                                  only_open, state, reason, ended_at)
                     values (${conversationId}, ${userId}, 'oi', app_now(), app_now(), true, false,
                             'cancelled', 'by_person', app_now())`,
  ),
  pendingUpdates: () =>
    insert(sql`pending_updates (instance_id, whatsapp_message_id, kind, data)
               values (${t.instanceId}, 'never', 'edit', '{}')`),
  forgottenMessages: ofOne(
    () => sql`forgotten_messages (instance_id, message_id, contact_id, message_type, content)
                     values (${t.instanceId}, 1, ${contactId}, 'text', 'oi')`,
  ),
  undoneSends: ofOne(
    () => sql`undone_sends (conversation_id, client_message_id) values (${conversationId}, 'c')`,
  ),
  preAttendanceTemp: ofOne(
    () => sql`pre_attendance_temp (instance_id, contact_id, conversation_id, contact_name, stage)
                     values (${t.instanceId}, ${contactId}, ${conversationId}, 'Ana', 'cancelled')`,
  ),
  files: () =>
    insert(sql`files (name, size_bytes, mime_type, sha256)
               values ('spare-file-0123456789', 1, 'image/png', 'x')`),
  async events() {
    await insert(sql`events (type) values ('queue_changed'), ('queue_changed')`)
  },
  notices: () => insert(sql`notices (kind, subject, fact, ended_at) values ('x', '', '{}', app_now())`),
  async noticeDismissals() {
    await insert(sql`notices (kind, subject, fact, ended_at) values ('x', '', '{}', app_now())`)
    await insert(sql`notice_dismissals (user_id, notice_id) select ${userId}, max(id) from notices`)
  },
  notifications: ofOne(
    () => sql`notifications (user_id, kind, conversation_id, read_at)
                     values (${userId}, 'follow', ${conversationId}, app_now()),
                            (${userId}, 'follow', ${conversationId}, null)`,
  ),
  maintenanceBackups: () =>
    insert(sql`maintenance_backups (name, file_path, status) values ('b', 'b', 'failed')`),
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('what is said to be trimmed', () => {
  test.each(trimmed)('%s: goes after its time, and not before', { timeout: 60_000 }, async (table, rule) => {
    const seed = seeds[table]
    if (!seed) throw new Error(`no rows of ${table} to trim`)
    await seed()
    const { after, by, where = sql`true` } = rule
    /** How long each row still has, the shortest first. */
    const listLeft = async () => {
      const found = await t.sql<{ ms: number }>`
        select (extract(epoch from ${rule.since} + ${after}::interval - app_now()) * 1000)::float8 as ms
          from ${sql.identifier(getTableName(schema[table]))} t
         where (${where}) and ${rule.since} is not null order by 1`
      return found.map(({ ms }) => ms).filter((ms) => ms > 0)
    }
    const { length } = await listLeft()
    expect(length).toBeGreaterThan(0)
    for (let n = 0; n < length; n++) {
      const left = await listLeft()
      const [next] = left
      if (next === undefined) break
      const earlyMs = Math.min(hourMs, next / 2)
      await clock.forward(next - earlyMs)
      await run(by)
      expect((await listLeft()).length, 'none goes too early').toBeGreaterThanOrEqual(left.length)
      await clock.forward(earlyMs + minuteMs)
      await run(by)
      expect(await countOverdue(t.database, table, '0'), 'none stays').toBe(0)
    }
  })

  test('a row of every such table is tried', () => {
    expect(Object.keys(seeds).toSorted()).toEqual(trimmed.map(([table]) => table).toSorted())
  })

  test('a message that was sent twice keeps its row of the outbox, an open conversation all', async () => {
    const messageId = await addSend('sent')
    await t.sql`update messages set metadata = '{"duplicateIds": ["again"]}' where id = ${messageId}`
    const twice = conversationId
    await addSend('failed')
    await insert(sql`conversation_drafts (user_id, conversation_id, content)
                     values (${userId}, ${conversationId}, 'oi')`)
    await t.sql`update conversations set status = 'active', completed_at = null where id = ${conversationId}`
    await clock.forward(90 * 24 * hourMs)
    await run('trim-over')
    const left = (table: string, id: number) =>
      t.sql`select 1 from ${sql.identifier(table)} where conversation_id = ${id}`
    expect(await left('outbox', twice)).toHaveLength(1)
    expect(await left('outbox', conversationId)).toHaveLength(1)
    expect(await left('conversation_drafts', conversationId)).toHaveLength(1)
  })

  test('the period that is chosen for webhooks takes the place of the usual one', async () => {
    const plan = { isBackupScheduled: false, backupTime: '23:00', backupsKept: 1, inboxDays: 60 }
    await insert(sql`maintenance_plans (plan) values (${plan}::jsonb)`)
    await bodyOf('chosen', sql`instance_id, processed_at`, sql`${t.instanceId}, app_now()`)
    await clock.forward(50 * 24 * hourMs)
    await run('trim-inbox')
    const left = () => t.sql`select 1 from webhook_inbox where dedupe_key = 'chosen'`
    expect(await left()).toHaveLength(1)
    await clock.forward(12 * 24 * hourMs)
    await run('trim-inbox')
    expect(await left()).toHaveLength(0)
  })
})
