import { expect, test, vi } from 'vitest'
import type { Backup, MaintenanceRun, RestoreChoice } from '#shared/maintenance/maintenance.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import { createRandom, type Random } from '#simulator/random.ts'
import { newSeed } from '#server/testing/inputs/seeded-random.ts'
import { atNight } from '#server/testing/nightly.ts'
import { carryBackup, confirm, makeBackup, startRestore, writePast } from '#server/testing/past.ts'
import { type Client, forAllTests, testApp, type TestApp } from '#server/testing/test-app.ts'

// Whatever was in a backup, and whatever has happened since: what a preview and a restore count is what they
// do, and each row of the backup is in one count.

vi.setConfig({ testTimeout: 600_000 })

interface Installation {
  t: TestApp
  admin: Client
}

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const other = forAllTests(() => testApp({}, { hasJobs: true }))
const otherAdmin = forAllTests(() => other.signIn('admin', 'chefe'))
const here = () => ({ t, admin })
const there = () => ({ t: other, admin: otherAdmin })

const choices: RestoreChoice[] = [
  { restoreComplete: true, restoreSettings: true },
  { restoreComplete: true, restoreSettings: true },
  { restoreComplete: true, restoreSettings: false },
  { restoreComplete: false, restoreSettings: true },
]

const pick = <T>(random: Random, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)]

/** The id of some row of a table. */
async function some(
  { t: app }: Installation,
  random: Random,
  table: string,
  where = 'true',
): Promise<number> {
  const { rows } = await app.database.pool.query<{ id: number }>(
    `select id from ${table} where ${where} order by id`,
  )
  return pick(random, rows)?.id ?? 0
}

type Act = (place: Installation, random: Random, n: number) => Promise<unknown>

const living = 'deleted_at is null and erased_at is null'
const run = (what: (id: number, n: number) => string, table: string, where?: string): Act =>
  async function statement(place, random, n) {
    await place.t.database.pool.query(what(await some(place, random, table, where), n))
  }
const calls = (method: string, path: (id: number) => string, table: string, where?: string): Act =>
  async function call(place, random) {
    await confirm(place.admin)
    return place.admin.request(method, path(await some(place, random, table, where)))
  }
const joins = (path: (id: number) => string, table: string, where?: string): Act =>
  async function call(place, random) {
    const [one, otherId] = [await some(place, random, table, where), await some(place, random, table, where)]
    return place.admin.request('POST', path(one), { otherId })
  }

/** What happens to an installation. A call may be refused: then nothing has happened. */
const acts: readonly Act[] = [
  ({ t: app, admin: { userId } }) => writePast(app, userId, 1),
  ({ admin: who }, _, n) => who.request('POST', '/api/companies', { name: `Empresa nova ${n}` }),
  ({ admin: who }, _, n) =>
    who.request('POST', '/api/contact-categories', { name: `Categoria ${n}`, color: '#336699' }),
  ({ admin: who }, _, n) => who.request('POST', '/api/reasons', { name: `Motivo ${n}` }),
  async ({ admin: who, ...place }, random, n) => {
    const parentId = await some({ admin: who, ...place }, random, 'finish_reasons', 'parent_id is null')
    return who.request('POST', '/api/reasons', { name: `Motivo ${n}`, parentId: parentId || null })
  },
  async (place, random) => {
    const [talk, reason] = [
      await some(place, random, 'conversations', `status = 'completed'`),
      await some(place, random, 'finish_reasons'),
    ]
    if (reason > 0)
      await place.t.sql`update conversations set finish_reason_id = ${reason} where id = ${talk}`
  },
  async (place, random) => {
    const id = await some(place, random, 'finish_reasons')
    return place.admin.request('PATCH', `/api/reasons/${id}`, { name: `Outro ${id}` })
  },
  calls('DELETE', (id) => `/api/reasons/${id}`, 'finish_reasons'),
  async (place, random) => {
    const [contact, category] = [
      await some(place, random, 'contacts', living),
      await some(place, random, 'contact_categories'),
    ]
    await place.t
      .sql`update contacts set category = (select name from contact_categories where id = ${category})
                       where id = ${contact}`
  },
  ({ admin: who }, _, n) => who.request('PUT', '/api/settings', { farewellMessage: `Até ${n}` }),
  calls('DELETE', (id) => `/api/conversations/${id}`, 'conversations'),
  calls('DELETE', (id) => `/api/contacts/${id}`, 'contacts', living),
  calls('POST', (id) => `/api/contacts/${id}/anonymize`, 'contacts', living),
  calls('DELETE', (id) => `/api/companies/${id}`, 'companies'),
  calls('DELETE', (id) => `/api/contact-categories/${id}`, 'contact_categories'),
  joins((id) => `/api/contacts/${id}/merge`, 'contacts', living),
  joins((id) => `/api/contacts/${id}/keep-apart`, 'contacts', living),
  joins((id) => `/api/companies/${id}/merge`, 'companies'),
  joins((id) => `/api/companies/${id}/keep-apart`, 'companies'),
  run((id) => `update contacts set notes = 'depois', updated_at = app_now() where id = ${id}`, 'contacts'),
  run((id, n) => `update companies set name = 'Outra ${n}' where id = ${id}`, 'companies'),
  run((id) => `update contact_categories set color = '#123456' where id = ${id}`, 'contact_categories'),
  run((id, n) => `update contact_categories set name = 'Outra ${n}' where id = ${id}`, 'contact_categories'),
  run((id) => `update files set message_id = null where id = ${id}`, 'files'),
  run((id) => `delete from forgotten_messages where id = ${id}`, 'forgotten_messages'),
  run((id) => `delete from message_reactions where id = ${id}`, 'message_reactions'),
  run((id) => `delete from conversation_ratings where id = ${id}`, 'conversation_ratings'),
  run((id) => `delete from company_distinctions where first_id = ${id}`, 'companies'),
  run((id) => `update users set deleted_at = app_now() where id = ${id}`, 'users', `role = 'operator'`),
  ({ t: app }) => app.signIn('operator'),
  ({ t: app }, _, n) => app.sql`
    insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url)
    select ${`numero-${n}`}, api_key_encrypted, api_key_hint, base_url from evolution_api_config limit 1`,
  run(
    (id) => `update evolution_api_config set deleted_at = now(), is_active = false where id = ${id}`,
    'evolution_api_config',
    `instance_name like 'numero-%'`,
  ),
  ({ t: app, admin: { userId } }, _, n) => app.sql`
    insert into saved_reports (user_id, name, filter) values (${userId}, ${`Relatório ${n}`}, '{}')`,
  run((id) => `delete from saved_reports where id = ${id}`, 'saved_reports'),
]

let done = 0
async function happens(place: Installation, random: Random, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await pick(random, acts)?.(place, random, ++done)
}

type Rows = Map<string, string>

/** Every row of every table of the backup, with the values that a backup has, but for when it was changed. */
async function everyRow({ t: app }: Installation): Promise<Map<string, Rows>> {
  const found = new Map<string, Rows>()
  for (const { name, columns } of backedList) {
    // Triggers write most of it as the conversations come.
    if (name === 'conversation_people') continue
    const ids = columns.filter((column) => column.endsWith('_id'))
    const key = columns.includes('id') ? 'id::text' : ids.join(` || '-' || `)
    const values = columns.filter((column) => !['updated_at', 'version'].includes(column))
    const { rows } = await app.database.pool.query<{ key: string; row: string }>(
      `select ${key} as key, (select s::text from (select ${values.join()}) s) as row from ${name}`,
    )
    found.set(name, new Map(rows.map(({ key: of, row }) => [of, row])))
  }
  return found
}

type Plan = NonNullable<MaintenanceRun['plan']>

/** Restores a backup, and compares what was told before with what has happened. */
async function expectSums(place: Installation, backup: Backup, choice: RestoreChoice): Promise<void> {
  const preview = await startRestore(place.admin, backup, choice, 'preview')
  expect(preview).toMatchObject({ state: 'done', error: null })
  const told = preview.plan as Plan
  for (const row of told.tables) {
    const { rows, added, changed, kept, erased } = row
    expect({ ...row, rows: added + changed + kept + erased }).toEqual({ ...row, rows })
    expect(Math.min(added, changed, kept, erased), row.table).toBeGreaterThanOrEqual(0)
  }

  const before = await everyRow(place)
  const restored = await startRestore(place.admin, backup, choice)
  expect(restored).toMatchObject({ state: 'done', error: null })
  expect(restored.plan).toEqual(told)
  const after = await everyRow(place)
  const happened = [...after].map(([table, rows]) => {
    const old = before.get(table) ?? new Map<string, string>()
    const [added, others] = [
      [...rows].filter(([key]) => !old.has(key)),
      [...rows].filter(([key]) => old.has(key)),
    ]
    return [
      table,
      { added: added.length, changed: others.filter(([key, row]) => old.get(key) !== row).length },
    ]
  })
  const counted = [...after.keys()].map((table) => {
    const { added = 0, changed = 0 } = told.tables.find((one) => one.table === table) ?? {}
    return [table, { added, changed }]
  })
  expect(Object.fromEntries(happened)).toEqual(Object.fromEntries(counted))
  const [end] = await place.t.sql<{ added: number }>`
    select (details ->> 'added')::int as added from audit_logs
     where action = 'maintenance.restore_end' order by id desc limit 1`
  expect(end?.added).toBe(told.tables.reduce((sum, { added }) => sum + added, 0))

  const again = (await startRestore(place.admin, backup, choice, 'preview')).plan as Plan
  const rest = told.tables.map(({ table, rows, added, changed, kept, erased }) => [
    table,
    { rows, added: 0, changed: 0, kept: added + changed + kept, erased },
  ])
  const second = again.tables.map(({ table, label: _label, ...counts }) => [table, counts])
  expect(Object.fromEntries(second)).toMatchObject(
    Object.fromEntries(rest.filter(([table]) => again.tables.some((one) => one.table === table))),
  )
  expect(again.links).toEqual([])
}

test('the counts of a restore add up and are what it does, whatever has happened since', async () => {
  const random = createRandom(newSeed('sums of a restore'))
  const backups: Backup[] = []
  await writePast(t, admin.userId, 4)
  for (let round = 0; round < atNight(8, 2); round++) {
    await happens(here(), random, 8)
    backups.push(await makeBackup(admin, `Backup ${round}`))
    await happens(here(), random, 12)
    const backup = pick(random, backups.slice(-3))
    const choice = pick(random, choices)
    if (backup && choice) await expectSums(here(), backup, choice)
  }
})

test('the counts of a restore add up and are what it does, with a backup from elsewhere', async () => {
  const random = createRandom(newSeed('sums of a restore from elsewhere'))
  await writePast(other, otherAdmin.userId, 3)
  for (let round = 0; round < atNight(5, 1); round++) {
    await happens(there(), random, 10)
    await happens(here(), random, 4)
    const made = await makeBackup(otherAdmin, `Backup ${round}`)
    const carried = await carryBackup({ from: other, to: t, admin }, made, { name: `De outra ${round}` })
    const choice = pick(random, choices)
    if (choice) await expectSums(here(), carried, choice)
  }
})
