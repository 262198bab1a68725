import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import { rowsOf } from '#server/maintenance/backup/make.ts'
import { findPerson } from '#server/testing/database/find-person.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import { confirm, makeBackup, startRestore, writePast } from '#server/testing/past.ts'
import { rows } from '#server/platform/database/db.ts'
import { getSettings, saveSettings } from '#server/settings/settings.ts'
import { given } from '#server/testing/given.ts'
import { forAllTests, testApp, type TestApp } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const past = forAllTests(() => writePast(t, admin.userId, 5))

const both = { restoreComplete: true, restoreSettings: true }
const restore = (backup: Backup, choice = both, kind?: 'restore' | 'preview') =>
  startRestore(admin, backup, choice, kind)

/** Every row that a backup would have now, by table. */
async function everything({ database }: Pick<TestApp, 'database'> = t): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of backedList) {
    const { rows: all } = await database.pool.query<{ row: string }>(
      `select r::text as row from (${rowsOf(table)}) r order by 1`,
    )
    found[table.name] = all.map(({ row }) => row)
  }
  return found
}

const deleteConversations = () =>
  t.database.execute(sql.raw('delete from messages; delete from conversations'))
const count = async (what: ReturnType<typeof sql>, { database }: Pick<TestApp, 'database'> = t) =>
  (await rows(database, sql`select from ${what}`)).length

describe('a backup', () => {
  test('a backup is proven before it is completed, and leaves nothing beside itself', async () => {
    const made = await makeBackup(admin)
    expect(made).toMatchObject({
      status: 'completed',
      error: null,
      conversationsCount: 5,
      mediaFilesCount: 5,
      proof: { files: 5, tables: backedList.length, missingFiles: 0, damagedFiles: 0 },
    })
    expect(made.proof?.rows).toBeGreaterThan(30)
    expect(await count(sql`pg_namespace where nspname like 'balcao\\_scratch%'`)).toBe(0)
  })

  test('a backup brings everything back that was deleted, as it was', async () => {
    const before = await everything()
    const made = await makeBackup(admin)
    await deleteConversations()
    await t.sql`delete from files`
    for (const { file } of await storedFiles()) await t.app.files.remove(file)
    expect(await restore(made)).toMatchObject({ state: 'done', error: null })
    expect(await everything()).toEqual(before)
    for (const { file, sha256 } of await storedFiles()) expect(await hashOf(file)).toBe(sha256)
    expect(past.conversationIds).toHaveLength(5)
  })

  testAtNight('a backup changes nothing where nothing is missing', async () => {
    const before = await everything()
    const made = await makeBackup(admin)
    const preview = await restore(made, both, 'preview')
    expect(preview.plan?.tables.filter(({ added, changed }) => added > 0 || changed > 0)).toEqual([])
    expect((await restore(made)).state).toBe('done')
    expect(await everything()).toEqual(before)
  })

  test('a backup takes files of an earlier one without copying them, and is whole on its own', async () => {
    const first = await makeBackup(admin)
    const second = await makeBackup(admin)
    expect(second.proof?.reusedFiles).toBe(5)
    expect((await admin.request('DELETE', `/api/maintenance/backups/${first.id}`)).status).toBe(204)
    const before = await everything()
    await deleteConversations()
    expect((await restore(second)).state).toBe('done')
    expect(await everything()).toEqual(before)
  })

  test('a backup is downloaded whole or from any byte on', async () => {
    const { id, size, name } = await makeBackup(admin)
    const get = (range?: string, method = 'GET') =>
      fetch(`${t.app.url}/api/maintenance/download/${id}`, {
        method,
        headers: { authorization: `Bearer ${admin.token}`, ...(range && { range }) },
      })
    const head = await get(undefined, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)])
    const answer = await get()
    expect(answer.headers.get('content-disposition')).toContain(`${name}.tar`)
    const whole = Buffer.from(await answer.arrayBuffer())
    expect(whole.length).toBe(size)
    const rest = await get('bytes=1000-')
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes 1000-${whole.length - 1}/${whole.length}`,
    ])
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(1000))).toBe(true)
    expect((await get(`bytes=${whole.length}-`)).status).toBe(416)
  })
})

async function storedFiles(): Promise<{ file: string; sha256: string }[]> {
  return t.sql`select name as file, sha256 from files where message_id is not null`
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of (await t.app.files.read(file)) ?? []) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

describe('what is newer than the backup', () => {
  test('stays: open conversations, texts that were changed, rows that came since', async () => {
    const made = await makeBackup(admin)
    const conversation = await given.conversation(t, admin)
    await t.sql`update conversations set notes = 'mais novo' where id = ${past.conversationIds[0]}`
    const added = await writePast(t, admin.userId, 1)
    await t.sql`delete from conversations where id = ${past.conversationIds[1]}`
    const before = await everything()
    const open = await t.sql`select * from conversations where status <> 'completed'`
    expect((await restore(made)).state).toBe('done')
    const after = await everything()
    expect(await t.sql`select * from conversations where status <> 'completed'`).toEqual(open)
    expect(after['conversations']).toEqual(expect.arrayContaining(before['conversations'] ?? []))
    expect(await count(sql`conversations where id = ${past.conversationIds[1]}`)).toBe(1)
    expect(
      await count(sql`conversations where id in (${conversation.id}, ${added.conversationIds[0]})`),
    ).toBe(2)
    expect(await count(sql`conversations where notes = 'mais novo'`)).toBe(1)
  })

  test('an open conversation is not in it', async () => {
    const conversation = await given.conversation(t, admin)
    const made = await makeBackup(admin)
    const plan = (await restore(made, both, 'preview')).plan
    const completed = await count(sql`conversations where status = 'completed'`)
    expect(plan?.tables.find(({ table }) => table === 'conversations')?.rows).toBe(completed)
    expect(conversation.status).not.toBe('completed')
  })

  testAtNight(
    'a contact that was deleted since is back, unless its number is somebody else by now',
    async () => {
      const [one = 0, other = 0] = past.contactIds
      const made = await makeBackup(admin)
      await t.sql`update contacts set deleted_at = app_now() where id in (${one}, ${other})`
      await t.sql`insert into contacts (name, phone) select 'Outra', phone from contacts where id = ${other}`
      expect((await restore(made)).state).toBe('done')
      expect(await count(sql`contacts where id = ${one} and deleted_at is null`)).toBe(1)
      expect(await count(sql`contacts where id = ${other} and deleted_at is null`)).toBe(0)
      expect(await count(sql`contacts where name = 'Outra'`)).toBe(1)
    },
  )

  testAtNight('settings come back only when they are asked for', async () => {
    await saveSettings(t.database, { farewellMessage: 'de antes' })
    // An earlier test may have changed settings within the minute.
    await t.sql`update evolution_api_config set inactivity_from = null`
    const made = await makeBackup(admin)
    await saveSettings(t.database, { farewellMessage: 'de depois' })
    await restore(made, { restoreComplete: true, restoreSettings: false })
    expect((await getSettings(t.database)).farewellMessage).toBe('de depois')
    // Nobody is closed for a silence that was judged by other settings.
    const isCounted = sql`evolution_api_config where inactivity_from > app_now() - interval '1 minute'`
    expect(await count(isCounted)).toBe(0)
    await restore(made, { restoreComplete: false, restoreSettings: true })
    expect((await getSettings(t.database)).farewellMessage).toBe('de antes')
    expect(await count(isCounted)).toBe(1)
  })

  testAtNight('a JSON null is another value than none, and comes back as it was', async () => {
    const { conversationIds } = await writePast(t, admin.userId, 1)
    const [id] = conversationIds
    await t.sql`update messages set metadata = 'null' where conversation_id = ${id}`
    const made = await makeBackup(admin)
    expect(made.status).toBe('completed')
    await t.sql`delete from conversations where id = ${id}`
    expect((await restore(made)).state).toBe('done')
    expect(await count(sql`messages where conversation_id = ${id} and metadata = 'null'`)).toBe(4)
  })

  test('an anonymized contact stays so, also when their conversations were deleted', async () => {
    const { contactIds, conversationIds } = await writePast(t, admin.userId, 1)
    const [person] = await t.sql<{ name: string; phone: string; email: string }>`
      select name, phone, email from contacts where id = ${contactIds[0]}`
    const made = await makeBackup(admin)
    expect(await findPerson(t, person?.phone ?? '', [person?.name ?? '', person?.email ?? ''])).not.toEqual(
      [],
    )
    await confirm(admin)
    const erased = await admin.request('POST', `/api/contacts/${contactIds[0]}/anonymize`)
    expect(erased.status).toBe(200)
    await t.sql`delete from conversations where id = ${conversationIds[0]}`
    const run = await restore(made)
    expect(run.state).toBe('done')
    expect(run.plan?.tables.find(({ table }) => table === 'conversations')?.erased).toBe(1)
    expect(await count(sql`conversations where id = ${conversationIds[0]}`)).toBe(0)
    expect(
      await count(sql`contacts where id = ${contactIds[0]} and erased_at is not null and phone is null`),
    ).toBe(1)
    expect(await findPerson(t, person?.phone ?? '', [person?.name ?? '', person?.email ?? ''])).toEqual([])
  })

  testAtNight('what the gateway is no longer to bring back may come again once it is restored', async () => {
    const [id = 0] = past.conversationIds.slice(2)
    const made = await makeBackup(admin)
    expect((await admin.request('DELETE', `/api/conversations/${id}`)).status).toBe(204)
    const tombstones = sql`forgotten_messages f where exists (
      select from messages m
       where m.instance_id = f.instance_id and m.whatsapp_message_id = f.whatsapp_message_id)`
    expect(await count(sql`forgotten_messages`)).toBeGreaterThan(0)
    expect((await restore(made)).state).toBe('done')
    expect(await count(sql`messages where conversation_id = ${id}`)).toBeGreaterThan(0)
    expect(await count(tombstones)).toBe(0)
  })
})
