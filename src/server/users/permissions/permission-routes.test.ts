import { expect, test } from 'vitest'
import { flags as flagNames } from '#shared/permissions.ts'
import type { UserPermission } from '#shared/users/user-permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { type Client, forAllTests, refusal, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const path = '/api/user-permissions'
const listOf = (who: Client) => who.get<UserPermission[]>(path)
const permissionOf = async (who: Client) => (await listOf(chefe)).find(({ userId }) => userId === who.userId)

test('permissions of everybody are listed only for those who manage them', async () => {
  const ana = await t.signIn('operator')
  const all = await listOf(chefe)
  expect(all.map(({ userId }) => userId)).toEqual(expect.arrayContaining([chefe.userId, ana.userId]))
  expect(await listOf(ana)).toEqual([
    {
      userId: ana.userId,
      createdAt: null,
      flags: { ...defaultFlags('operator') },
      scope: 'all',
      hidesPhones: false,
      isLead: false,
    },
  ])
  const chief = all.find(({ userId }) => userId === chefe.userId)
  expect(Object.values(chief?.flags ?? {})).toEqual(flagNames.map(() => true))
})

test('a new record of permissions has all flags, missing ones by role', async () => {
  const ana = await t.signIn('supervisor')
  const answer = await chefe.request<UserPermission>('POST', path, {
    userId: ana.userId,
    flags: { canDeleteConversations: false },
  })
  expect(answer).toMatchObject({ status: 201, body: { userId: ana.userId, createdAt: expect.any(String) } })
  const wanted = {
    ...defaultFlags('supervisor'),
    canDeleteConversations: false,
    canViewTrackingMessages: false,
  }
  expect(answer.body.flags).toEqual(wanted)
  const [stored] = await t.sql<{ flags: object }>`
    select flags from user_permissions where user_id = ${ana.userId}`
  expect(stored?.flags).toEqual(wanted)
  expect(await chefe.request('POST', path, { userId: ana.userId, flags: {} })).toMatchObject(
    refusal(409, 'permissions.exists'),
  )
})

test('the list says who leads a sector, and not who is only in one', async () => {
  const [ana, bia] = [await t.signIn('operator'), await t.signIn('operator')]
  await t.sql`
    with one as (insert into sectors (name, color, place) values ('Caixa', '#2563eb', 1) returning id)
    insert into sector_people (user_id, sector_id, is_lead)
      select p.id, one.id, p.id = ${ana.userId}
        from one, unnest(array[${ana.userId}, ${bia.userId}]::int[]) p (id)`
  expect([await permissionOf(ana), await permissionOf(bia)]).toMatchObject([
    { isLead: true },
    { isLead: false },
  ])
})

test('the list says of which conversations one knows, and whether telephones are hidden', async () => {
  const ana = await t.signIn('operator')
  const ines = await t.signIn('supervisor')
  // What does not hold for their role is not told.
  await t.sql`update users set scope = 'own', hides_phones = true
               where id in (${ana.userId}, ${ines.userId}, ${chefe.userId})`
  expect(await permissionOf(ana)).toMatchObject({ scope: 'own', hidesPhones: true })
  expect(await permissionOf(ines)).toMatchObject({ scope: 'sector', hidesPhones: true })
  expect(await permissionOf(chefe)).toMatchObject({ scope: 'all', hidesPhones: false })
  await t.sql`update users set scope = 'all', hides_phones = false where id = ${chefe.userId}`
  const { body } = await chefe.request('PUT', `${path}/${ana.userId}`, { canEditContacts: false })
  expect(body).toMatchObject({ scope: 'own', hidesPhones: true })
})

test('one changed flag leaves the others, and is audited', async () => {
  const ana = await t.signIn('operator')
  const change = (body: object) => chefe.request<UserPermission>('PUT', `${path}/${ana.userId}`, body)
  expect((await change({ canViewArchivedConversations: true })).status).toBe(200)
  expect((await change({ canEditContacts: false })).body.flags).toEqual({
    ...defaultFlags('operator'),
    canViewArchivedConversations: true,
    canEditContacts: false,
  })
  const [last] = await t.sql<{ details: object; userId: number }>`
    select details, user_id as "userId" from audit_logs where action = 'permissions.update'
         order by id desc limit 1`
  expect(last).toEqual({ userId: chefe.userId, details: { changes: { canEditContacts: [true, false] } } })
})

test('a change of permissions takes effect in open screens within a second', async () => {
  const ana = await t.signIn('operator')
  const tab = await connectLive(t.app.url, { token: ana.token })
  expect((await ana.request('GET', '/api/conversations')).status).toBe(200)
  await chefe.request('PUT', `${path}/${ana.userId}`, { canViewConversations: false })
  await tab.heard('permissions_changed')
  expect((await ana.request('GET', '/api/conversations')).status).toBe(403)
  expect(await ana.request('GET', '/api/auth/me')).toMatchObject({
    body: { user: { permissions: { canViewConversations: false } } },
  })
  await tab.close()
})

test('the flag of administrators cannot be given to others', async () => {
  const ana = await t.signIn('supervisor')
  const { body } = await chefe.request<UserPermission>('PUT', `${path}/${ana.userId}`, {
    canViewTrackingMessages: true,
  })
  expect(body.flags.canViewTrackingMessages).toBe(false)
})

test.each<[string, () => Promise<{ status: number }>, number]>([
  ['an unknown flag', () => chefe.request('PUT', `${path}/${chefe.userId}`, { canFly: true }), 400],
  ['a flag that is no boolean', () => chefe.request('PUT', `${path}/2`, { canViewContacts: 1 }), 400],
  [
    'an administrator',
    () => chefe.request('PUT', `${path}/${chefe.userId}`, { canViewContacts: false }),
    409,
  ],
  ['nobody', () => chefe.request('POST', path, { userId: 2_000_000_000, flags: {} }), 404],
])('a change of permissions of %s is refused', async (_what, send, status) => {
  expect((await send()).status).toBe(status)
})

test('two flags changed at once are both stored', async () => {
  const ana = await t.signIn('operator')
  const names = flagNames.filter((flag) => flag !== 'canViewTrackingMessages')
  await Promise.all(names.map((flag) => chefe.request('PUT', `${path}/${ana.userId}`, { [flag]: true })))
  const { flags } = (await permissionOf(ana)) ?? {}
  expect(names.filter((flag) => flags?.[flag] !== true)).toEqual([])
})
