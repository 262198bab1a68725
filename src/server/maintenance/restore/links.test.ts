import { beforeAll, expect, test } from 'vitest'
import type { Backup, RestoreChoice } from '#shared/maintenance/maintenance.ts'
import { everything, makeBackup, startRestore, writePast } from '#server/testing/past.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

let made = 0
/** Ids of contacts in a company and a category of their own. */
interface Group {
  companyId: number
  categoryId: number
  category: string
  contactIds: number[]
}

/** A company and a category, with so many contacts in both. */
async function group(count: number): Promise<Group> {
  const name = `Grupo ${++made}`
  const add = async (path: string, body: object) => {
    const answer = await admin.request<{ id: number }>('POST', path, body)
    expect(answer.status).toBe(201)
    return answer.body.id
  }
  const companyId = await add('/api/companies', { name })
  await admin.request('POST', '/api/contact-categories', { name, color: '#336699' })
  const [category] = await t.sql<{ id: number }>`select id from contact_categories where name = ${name}`
  const { contactIds } = await writePast(t, admin.userId, count)
  await t.sql`update contacts set company_id = ${companyId}, category = ${name}
               where id = any(${`{${contactIds.join()}}`}::int[])`
  return { companyId, categoryId: category?.id ?? 0, category: name, contactIds }
}

const remove = async (path: string) => {
  expect((await admin.request('DELETE', path)).status).toBe(204)
}

/** What the contacts are in now, in the order of their ids. */
const linksOf = async ({ contactIds }: Group) =>
  t.sql<{ company: string | null; category: string }>`
    select k.name as company, c.category from contacts c left join companies k on k.id = c.company_id
     where c.id = any(${`{${contactIds.join()}}`}::int[]) order by c.id`

const linksIn = async (backup: Backup, choice: RestoreChoice = everything) => {
  const { plan } = await startRestore(admin, backup, choice, 'preview')
  return plan?.links
}

let backup: Backup
/** One for each test. */
let groups: Group[]
const nextGroup = () => groups.pop() ?? expect.fail('no group left')
beforeAll(async () => {
  groups = [await group(2), await group(1), await group(2), await group(4)]
  backup = await makeBackup(admin)
})

test('a company and a category come back with the contacts that nobody has changed since', async () => {
  const one = nextGroup()
  const [unchanged = 0, noted = 0, moved = 0, gone = 0] = one.contactIds
  const other = await group(1)
  await remove(`/api/contacts/${gone}`)
  await remove(`/api/companies/${one.companyId}`)
  await remove(`/api/contact-categories/${one.categoryId}`)
  await admin.request('PUT', `/api/contacts/${noted}`, { notes: 'depois' })
  await admin.request('PUT', `/api/contacts/${moved}`, {
    companyId: other.companyId,
    category: other.category,
  })
  const [before] = await t.sql<{ at: Date }>`select updated_at as at from contacts where id = ${noted}`

  const told = [
    { table: 'companies', back: 2, left: 2 },
    { table: 'contact_categories', back: 2, left: 2 },
  ]
  expect(await linksIn(backup)).toEqual(told)
  const run = await startRestore(admin, backup)
  expect(run).toMatchObject({ state: 'done', plan: { links: told } })
  expect(run.plan?.tables.find(({ table }) => table === 'contacts')).toMatchObject({ changed: 2 })
  const back = { company: one.category, category: one.category }
  expect(await linksOf({ ...one, contactIds: [unchanged] })).toEqual([back])
  expect(await linksOf({ ...one, contactIds: [gone] })).toEqual([back])
  expect(await linksOf({ ...one, contactIds: [noted] })).toEqual([{ company: null, category: '' }])
  expect(await linksOf({ ...one, contactIds: [moved] })).toEqual([
    { company: other.category, category: other.category },
  ])
  expect(await t.sql`select updated_at as at from contacts where id = ${noted}`).toEqual([before])
  // Again, it has nothing to bring back.
  expect(await linksIn(backup)).toEqual([])
})

test('a category that comes back with the settings alone has its contacts in it', async () => {
  const one = nextGroup()
  await remove(`/api/contact-categories/${one.categoryId}`)
  const settings = { restoreComplete: false, restoreSettings: true }
  expect(await linksIn(backup, settings)).toEqual([{ table: 'contact_categories', back: 2, left: 0 }])
  const run = await startRestore(admin, backup, settings)
  expect(run.plan?.tables.find(({ table }) => table === 'contacts')).toMatchObject({ added: 0, changed: 2 })
  expect((await linksOf(one)).map(({ category }) => category)).toEqual(one.contactIds.map(() => one.category))
})

test('a company that was entered anew since the backup is not added a second time', async () => {
  const one = nextGroup()
  await remove(`/api/companies/${one.companyId}`)
  await admin.request('POST', '/api/companies', { name: one.category })
  await startRestore(admin, backup)
  expect(await t.sql`select from companies where name = ${one.category}`).toHaveLength(1)
})

test('a contact that was merged since stays merged, and what it had goes to the other one', async () => {
  const one = nextGroup()
  const [kept = 0, merged = 0] = one.contactIds
  const [lost] = await t.sql<{ id: number; protocol: string }>`
    select id, protocol from conversations where contact_id = ${merged}`
  const merge = await admin.request('POST', `/api/contacts/${kept}/merge`, { otherId: merged })
  expect(merge.status).toBe(200)
  await remove(`/api/conversations/${lost?.id}`)
  const { plan } = await startRestore(admin, backup)
  expect(plan?.tables.find(({ table }) => table === 'contacts')).toMatchObject({ added: 0, changed: 0 })
  expect(await t.sql`select deleted_at is null as "isLiving" from contacts where id = ${merged}`).toEqual([
    { isLiving: false },
  ])
  const living =
    await t.sql`select contact_id as "contactId" from conversations where protocol = ${lost?.protocol}`
  expect(living).toEqual([{ contactId: kept }])
})
