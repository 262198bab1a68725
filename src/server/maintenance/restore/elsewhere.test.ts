import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { firstVersion } from '#server/platform/database/migrate.ts'
import { claimVersion, makeFirstArchive } from '#server/testing/database/archives.ts'
import { carryBackup, makeBackup, type Past, startRestore, writePast } from '#server/testing/past.ts'
import { forAllTests, type Client, testApp, type TestApp } from '#server/testing/test-app.ts'

let to: TestApp
let here: Client
let past: Past

const from = forAllTests(() => testApp({}, { hasJobs: true }))
const there = forAllTests(() => from.signIn('admin', 'chefe'))
beforeAll(async () => {
  const ana = await from.signIn('operator', 'ana')
  past = await writePast(from, ana.userId, 4)
  to = await testApp({}, { hasJobs: true })
  here = await to.signIn('admin', 'chefe')
})
afterAll(() => to.close())

/** Carries a backup over to the other installation. */
const carry = (made: Backup, name = 'De outra', change?: (dir: string) => unknown) =>
  carryBackup({ from, to, admin: here }, made, { name, change })

interface Talk {
  contact: string
  company: string
  phone: string
  operator: string
  messages: string[]
  rating: number
}

/** What a conversation says, without an id. */
const talksOf = (app: TestApp) =>
  app.sql<Talk & Record<string, unknown>>`
    select c.name as contact, k.name as company, c.phone, u.username as operator,
               r.service_rating as rating,
               array(select m.content || coalesce(' ' || s.username, '') || coalesce(' ' || e.emoji, '')
                            || coalesce(' ' || x.content, '') || coalesce(' ' || f.sha256, '')
                       from messages m left join users s on s.id = m.sender_id
                       left join message_reactions e on e.message_id = m.id
                       left join message_versions x on x.message_id = m.id
                       left join files f on f.message_id = m.id
                      where m.conversation_id = v.id order by m.sort_at) as messages,
               (select l.content from messages l where l.id = v.last_message_id) as last
          from conversations v join contacts c on c.id = v.contact_id
          left join companies k on k.id = c.company_id left join users u on u.id = v.assigned_user_id
          left join conversation_ratings r on r.conversation_id = v.id
         where v.status = 'completed' order by v.started_at`

/** Numbers with other ids on everything sides: some were given to a person, one was deleted. */
async function numbersOfTheirOwn(): Promise<void> {
  const insert = (app: TestApp, name: string) =>
    app.sql`insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url)
          select ${name}, api_key_encrypted, api_key_hint, base_url from evolution_api_config limit 1`
  await insert(to, 'daqui')
  await insert(from, 'loja2')
  await insert(from, 'antiga')
  await from.sql`
    update evolution_api_config set deleted_at = now(), is_active = false, api_key_encrypted = ''
     where instance_name = 'antiga'`
  await from.sql`update evolution_api_config set own_settings = '{"finalizationMessage": "Até logo"}'
                  where instance_name = 'loja2'`
  await from.sql`
    update users set number_ids = array(select id from evolution_api_config) where username = 'ana'`
}

/** The names of the numbers that were given to a person; null: all. */
async function given(app: TestApp, username: string): Promise<string[] | null> {
  const [row] = await app.sql<{ names: string[] | null }>`
    select case when number_ids is not null then array(
                 select instance_name from evolution_api_config g where g.id = any(number_ids) order by 1) end
               as names from users where username = ${username}`
  return row?.names ?? null
}

test('a backup of another installation comes in beside what is here, once', async () => {
  // The same ids, protocols and names of other rows, and one person that everything know.
  const bruno = await to.signIn('operator', 'bruno')
  await writePast(to, bruno.userId, 2)
  const own = await talksOf(to)
  const [shared] = await from.sql<{ phone: string }>`
    select phone from contacts where id = ${past.contactIds[0]}`
  await to.sql`with known as (insert into contacts (name, phone)
                              values ('Nome daqui', ${shared?.phone}) returning id)
               insert into contact_identities (contact_id, kind, value, jid)
               select id, 'phone', ${shared?.phone}, ${shared?.phone} from known`
  await numbersOfTheirOwn()
  await from.sql`
    insert into saved_reports (user_id, name, filter)
    select u.id, 'Da Ana', jsonb_build_object('operatorId', u.id, 'companyId', k.id, 'tag', 'vip',
             'instanceId', (select id from evolution_api_config where instance_name = 'loja2'))
      from users u, contacts c join companies k on k.id = c.company_id
     where u.username = 'ana' and c.id = ${past.contactIds[0]}`
  const carried = await carry(await makeBackup(there))
  const expected = (await talksOf(from)).map((talk) =>
    talk.phone === shared?.phone ? { ...talk, contact: 'Nome daqui', company: null } : talk,
  )
  const run = await startRestore(here, carried)
  expect(run).toMatchObject({ state: 'done', error: null, plan: { isOwn: false, keysToType: ['loja2'] } })
  const found = await talksOf(to)
  expect(found).toHaveLength(own.length + expected.length)
  expect(found).toEqual(expect.arrayContaining([...own, ...expected]))
  // A report is of the same person, company and number, by their ids here.
  const reports = (app: TestApp) =>
    app.sql`select r.name, u.username, k.name as company, g.instance_name as number,
                   r.filter - 'operatorId' - 'companyId' - 'instanceId' as others
            from saved_reports r left join users u on u.id = (r.filter ->> 'operatorId')::int
            left join companies k on k.id = (r.filter ->> 'companyId')::int
            left join evolution_api_config g on g.id = (r.filter ->> 'instanceId')::int`
  expect(await reports(to)).toEqual(await reports(from))
  // The numbers were given to the same person, by their ids here.
  expect(await given(to, 'ana')).toEqual(['antiga', 'loja1', 'loja2'])
  expect(await given(to, 'bruno')).toEqual(null)
  const numbers = await to.sql`
    select instance_name as name, own_settings as own, deleted_at is not null as "isDeleted"
      from evolution_api_config order by instance_name`
  expect(numbers).toEqual([
    { name: 'antiga', own: {}, isDeleted: true },
    { name: 'daqui', own: {}, isDeleted: false },
    { name: 'loja1', own: {}, isDeleted: false },
    { name: 'loja2', own: { finalizationMessage: 'Até logo' }, isDeleted: false },
  ])
  // Again, it adds nothing.
  const again = await startRestore(here, carried)
  expect(again.plan?.tables.filter(({ added }) => added > 0)).toEqual([])
  expect(await talksOf(to)).toEqual(found)
})

test('a backup that version 0.1.0 has made comes in as well, and one of before is refused', async () => {
  const before = await talksOf(to)
  const [ana] = await from.sql<{ id: number }>`select id from users where username = 'ana'`
  await writePast(from, ana?.id ?? 0, 1)
  const backup = await makeBackup(there)
  const earlier = await carry(backup, 'De antes', (dir) => claimVersion(dir, firstVersion - 1))
  const older = await startRestore(here, earlier)
  expect(older).toMatchObject({
    state: 'failed',
    error: 'O backup é de uma versão do Balcão que esta não conhece',
  })
  expect(await talksOf(to)).toEqual(before)
  await to.sql`delete from maintenance_backups where name = 'De antes'`
  const run = await startRestore(here, await carry(backup, 'Da 0.1.0', makeFirstArchive))
  expect(run).toMatchObject({ state: 'done', error: null })
  expect(await talksOf(to)).toHaveLength(before.length + 1)
})

test('people come in without a password, and cannot sign in', async () => {
  const [ana] = await to.sql`select is_active as "isActive", must_change_password as "mustChange"
                               from users where username = 'ana'`
  expect(ana).toEqual({ isActive: false, mustChange: true })
  const answer = await to.request('POST', '/api/auth/login', { username: 'ana', password: '-' })
  expect(answer.status).toBe(401)
  expect(await to.sql`select from users where username = 'chefe'`).toHaveLength(1)
})

test('the next conversations, contacts and users get ids and protocols of their own', async () => {
  const operator = await to.signIn('operator')
  await writePast(to, operator.userId, 2)
  expect(await talksOf(to)).toHaveLength(2 + 4 + 1 + 2)
})
