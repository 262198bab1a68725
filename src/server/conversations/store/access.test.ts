import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Flag, Flags } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { given } from '#server/testing/given.ts'
import { type Client, testApp, type TestApp } from '#server/testing/test-app.ts'

let t: TestApp
let ana: Client
let admin: Client

beforeAll(async () => {
  t = await testApp()
  ana = await t.signIn('operator', 'ana')
  admin = await t.signIn('admin', 'chefe')
})
afterAll(() => t.close())

/** An operator with other flags than the role's. */
async function operatorWith(changes: Flags): Promise<Client> {
  const who = await t.signIn('operator')
  const record = { ...defaultFlags('operator'), ...changes }
  await t.database.execute(
    sql`insert into user_permissions (user_id, flags)
         values (${who.userId}, ${JSON.stringify(record)}::jsonb)`,
  )
  return who
}
const only = (flag: Flag, isOn: boolean) => ({ [flag]: isOn }) as Flags

/** What the conversation and its messages answer. */
async function answersTo(who: Client, id: number) {
  const path = `/api/conversations/${id}`
  const pages = ['', '?limit=1', '?before=2147483647', '?after=1']
  const statuses = await Promise.all(
    [path, ...pages.map((page) => `${path}/messages${page}`)].map((one) => who.request('GET', one)),
  )
  return statuses.map(({ status }) => status)
}
const all = (status: number) => [status, status, status, status, status]

test('an open conversation is read by everybody, whoever has it', async () => {
  const { id } = await given.conversation(t, ana)
  const bruno = await t.signIn('operator')
  for (const who of [ana, bruno, admin]) expect(await answersTo(who, id)).toEqual(all(200))
})

test('a completed one by its assignee and with the archive; to others it is not there', async () => {
  const { id } = await given.conversation(t, ana)
  await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pois não' })
  expect((await ana.request('POST', `/api/conversations/${id}/finalize`, {})).status).toBe(200)
  const stranger = await operatorWith(only('canViewArchivedConversations', false))
  const archivist = await operatorWith(only('canViewArchivedConversations', true))
  for (const who of [ana, archivist, admin]) expect(await answersTo(who, id)).toEqual(all(200))
  expect(await answersTo(stranger, id)).toEqual(all(404))
  const { body } = await archivist.request<Message[]>('GET', `/api/conversations/${id}/messages`)
  expect(body.map(({ content }) => content)).toContain('pois não')
})

test('an empty page is empty, and only what is not there is not found', async () => {
  const { id } = await given.conversation(t, ana)
  const { body } = await ana.request<Message[]>('GET', `/api/conversations/${id}/messages`)
  const last = body.at(-1)?.id ?? 0
  expect(await ana.request('GET', `/api/conversations/${id}/messages?after=${last}`)).toMatchObject({
    status: 200,
    body: [],
  })
  expect(await answersTo(admin, 999_999)).toEqual(all(404))
})
