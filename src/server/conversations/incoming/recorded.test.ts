import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findConfigByName } from '#server/gateway/instances/queries.ts'
import { eventually, testApp, type TestApp } from '#server/testing/test-app.ts'
import { type CountedGateway, startCountedGateway } from '#server/testing/servers/counted-gateway.ts'
import { spread } from '#server/testing/nightly.ts'

// Every body that a real gateway was seen to post, through the real webhook, a few minutes after the last was
// recorded.

const folder = join(import.meta.dirname, '../../../simulator/payloads')
const names = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ''))
  .toSorted()
const recordedAt = Date.parse('2026-11-20T20:01:00Z')
let t: TestApp
let secret: string

beforeAll(async () => {
  const offset = Math.round((recordedAt - Date.now()) / 1000)
  t = await testApp({}, { clockOffset: `${offset} seconds` })
  const config = await findConfigByName(t.database, 'loja1')
  secret = t.app.secrets.decrypt(config?.webhookSecretEncrypted ?? '')
})
afterAll(() => t.close())

async function post(name: string): Promise<void> {
  const body = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as object
  const proof = { authorization: `Bearer ${secret}` }
  const { status } = await t.request('POST', '/api/webhook/evolution', { ...body, instance: 'loja1' }, proof)
  expect(status, name).toBe(200)
}

/**
 * Until all that came is worked off, and each file of it was asked for; nothing may have been put aside as
 * hopeless.
 */
const workedOff = () =>
  eventually(
    () =>
      t.sql<{ left: number; dead: number }>`select (count(*) filter (where processed_at is null)
                      + (select count(*) from media_fetches where last_error is null))::int as left,
                   count(*) filter (where dead_reason is not null)::int as dead from webhook_inbox`,
    ([state]) => state?.left === 0 || state?.dead !== 0,
    30_000,
  ).then(([state]) => expect(state).toEqual({ left: 0, dead: 0 }))

async function forget(): Promise<void> {
  for (const table of ['webhook_inbox', 'pending_updates', 'conversations', 'contacts', 'events'])
    await t.sql`delete from ${sql.identifier(table)}`
  await t.sql`update evolution_api_config set status = 'disconnected' where id = ${t.instanceId}`
}

/** What is stored, one line a thing, without ids and without 'now'. */
async function stored(): Promise<string[]> {
  const found = await t.sql<{ line: string }>`(select 'contact ' || coalesce(name, '') || ' ' || (
              select string_agg(kind || ' ' || jid, ', ' order by kind)
                from contact_identities i where i.contact_id = c.id) as line
          from contacts c where deleted_at is null order by name, phone)
        union all
        (select 'conversation ' || status || ' ' || sub_status || ', ' || waiting_for
               || case when is_history then ', kept' else '' end || ', of ' || message_count
               || ', ends with ' || (select left(content, 30) from messages m where m.id = v.last_message_id)
          from conversations v order by started_at)
        union all
        (select sender_type || coalesce(' by ' || (metadata ->> 'origin'), '') || ' ' || message_type
               || ': ' || left(content, 60) || coalesce(' [' || file_name || ']', '')
               || case when quoted_content is null then '' else ' > ' || quoted_content end
               || case when metadata - 'origin' - 'recovered' - 'postedMs' = '{}' then ''
                       else ' ' || (metadata - 'origin' - 'recovered' - 'postedMs')::text end
               || coalesce(' ' || delivery_status, '')
               || case when edited_at is null then '' else ' edited' end
               || case when deleted_at is null then '' else ' deleted' end
               || coalesce((select string_agg(' ' || r.sender || ' ' || r.emoji, '' order by r.sender)
                              from message_reactions r where r.message_id = m.id), '')
          from messages m order by sort_at, whatsapp_message_id)
        union all
        (select 'aside ' || kind || ' of ' || whatsapp_message_id || coalesce(' ' || (data ->> 'status'), '')
                || coalesce(' ' || (data ->> 'content'), '') || coalesce(' ' || (data ->> 'emoji'), '')
          from pending_updates order by 1)`
  return found.map((row) => row.line)
}

const connection = async () => {
  const [config] = await t.sql<{ status: string }>`
    select status from evolution_api_config where id = ${t.instanceId}`
  return config?.status
}

/** What each body alone leaves behind, and what all of them do. */
const expected = Object.fromEntries(
  readFileSync(join(import.meta.dirname, 'recorded-rows.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as [string, string[]]),
)

test.each(names)('the recorded body %s, received alone, is stored', async (name) => {
  await forget()
  await post(name)
  await workedOff()
  const lines = await stored()
  expect(lines).toEqual(expected[name])
  // Twice the same has no further effect.
  const reported = () =>
    // News of the gateway come at any time.
    t.sql`select max(seq) as seq, count(*) as n from events where type <> 'gateway_state'`
  const before = await reported()
  await post(name)
  await workedOff()
  expect(await stored()).toEqual(lines)
  expect(await reported()).toEqual(before)
})

describe('each body about the connection', () => {
  let silent: CountedGateway
  beforeAll(async () => {
    // Asked about the connection meanwhile, the simulator would say what is true.
    silent = await startCountedGateway(() => undefined)
    await moveTo(silent.url)
  })
  afterAll(async () => {
    await moveTo(t.simulator.url)
    await silent.close()
  })
  const moveTo = (baseUrl: string) =>
    t.sql`update evolution_api_config set base_url = ${baseUrl} where id = ${t.instanceId}`

  test.each([
    ['connection.update.open', 'open'],
    ['connection.update.connecting', 'connecting'],
    ['connection.update.close', 'close'],
    ['logout.instance', 'close'],
    ['status.instance', 'close'],
    ['remove.instance', 'close'],
    ['qrcode.updated', 'disconnected'],
  ])('%s leaves the number as %s', async (name, state) => {
    await forget()
    await post(name)
    await workedOff()
    expect(await connection()).toBe(state)
  })
})

/** Seeded, so that a failing order can be seen again. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
  return items
    .map((item) => ({ item, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

test('all of them in shuffled orders, each twice, end in the same', async () => {
  let first: string[] | undefined
  for (const seed of spread(seeds, 2)) {
    await forget()
    const order = shuffled([...names, ...names], seed)
    await Promise.all(order.map(post))
    await workedOff()
    const lines = await stored()
    first ??= lines
    expect(lines, `seed ${seed}`).toEqual(first)
  }
  expect(first).toEqual(expected['all of them'])
}, 180_000)
