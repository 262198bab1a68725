import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { flags } from '#shared/permissions.ts'
import { newTalk, type Talk } from '#server/testing/new-talk.ts'
import { type Client, forAllTests, requestTo, testApp, withoutJobs } from '#server/testing/test-app.ts'

// What a request may do is asked at its head. If it then waits, rights that are taken meanwhile count no
// more.

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

interface Waiting {
  what: string
  method: string
  path(talk: Talk): string
  /** What is sent as JSON, or the fields of a form with a file. */
  body: { json: object } | { form(talk: Talk): Record<string, string> }
  /** Needs none of the flags, and is lost only with the role or the account. */
  isByRole?: true
}

const ofTalk = ({ conversation }: Talk) => `/api/conversations/${conversation.id}`
const ofContact = ({ conversation }: Talk) => `/api/contacts/${conversation.contact.id}`

/** A form comes slowly; the others wait for a lock. */
const waitings: Waiting[] = [
  {
    what: 'a message',
    method: 'POST',
    path: (talk) => `${ofTalk(talk)}/messages`,
    body: { json: { content: 'tarde demais' } },
  },
  {
    what: 'a file to a conversation',
    method: 'POST',
    path: () => '/api/media/upload',
    body: { form: ({ conversation }) => ({ conversationId: String(conversation.id) }) },
  },
  {
    what: 'a file to a contact',
    method: 'POST',
    path: () => '/api/media/upload',
    body: { form: ({ conversation }) => ({ contactId: String(conversation.contact.id) }) },
  },
  {
    what: 'a file of a quick response',
    method: 'POST',
    path: () => '/api/quick-responses/file',
    body: { form: () => ({}) },
    isByRole: true,
  },
  {
    what: 'a message to a contact',
    method: 'POST',
    path: (talk) => `${ofContact(talk)}/send-message`,
    body: { json: { content: 'tarde demais' } },
  },
  {
    what: 'a priority',
    method: 'PATCH',
    path: (talk) => `${ofTalk(talk)}/priority`,
    body: { json: { priority: 'high' } },
  },
  {
    what: 'giving it back',
    method: 'PATCH',
    path: (talk) => `${ofTalk(talk)}/assign-operator`,
    body: { json: { operatorId: null } },
  },
  {
    what: 'a change of a contact',
    method: 'PUT',
    path: ofContact,
    body: { json: { name: 'Tarde demais' } },
    isByRole: true,
  },
  {
    what: 'a setting',
    method: 'PATCH',
    path: () => '/api/system-settings',
    body: { json: { inactivityMessage: 'Tarde demais' } },
    isByRole: true,
  },
]

/** A form with a short file. */
function formOf(fields: Record<string, string>): Buffer {
  const head = '--b\r\ncontent-disposition: form-data; name='
  const parts = Object.entries(fields).map(([name, value]) => `${head}"${name}"\r\n\r\n${value}\r\n`)
  return Buffer.from(`${parts.join('')}${head}"file"; filename="a.txt"\r\n\r\nbom dia\r\n--b--\r\n`)
}

/** Begins a request, of a form all but its end. @returns `finish` sends the rest and gives the status */
function beginWaiting({ token }: Client, { method, path, body }: Waiting, talk: Talk) {
  const isForm = 'form' in body
  const bytes = isForm ? formOf(body.form(talk)) : Buffer.from(JSON.stringify(body.json))
  const going = request(t.app.url, {
    method,
    path: path(talk),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': isForm ? 'multipart/form-data; boundary=b' : 'application/json',
      'content-length': bytes.length,
    },
  })
  const answered = once(going, 'response') as Promise<[IncomingMessage]>
  const late = isForm ? 20 : 0
  going.write(bytes.subarray(0, bytes.length - late))
  if (!isForm) going.end()
  return async () => {
    if (isForm) going.end(bytes.subarray(bytes.length - late))
    const [answer] = await answered
    answer.resume()
    return answer.statusCode ?? 0
  }
}

/** What somebody has done, besides signing in and being refused. */
const doneBy = async ({ userId }: Client) =>
  t.sql`select 'message' as what from messages where sender_id = ${userId}
        union all
        select action from audit_logs
         where user_id = ${userId} and action not like 'auth.%' and outcome = 'done'`

/** What is lost, and the call that takes it. */
const takings: [string, ((userId: number) => [method: string, path: string, body?: object]) | undefined][] = [
  [
    'a flag',
    (userId) => [
      'PUT',
      `/api/user-permissions/${userId}`,
      { canEditConversations: false, canTransferConversations: false },
    ],
  ],
  ['the role', (userId) => ['PUT', `/api/users/${userId}`, { role: 'operator' }]],
  ['the account', (userId) => ['POST', `/api/users/${userId}/toggle-block`]],
  ['nothing', undefined],
]

test.each(takings)('calls that wait when %s is lost do nothing any more', async (what, take) => {
  const all = Object.fromEntries(flags.map((flag) => [flag, true]))
  const trials = await Promise.all(
    waitings
      .filter(({ isByRole }) => what !== 'a flag' || !isByRole)
      .map(async (waiting) => {
        const who = await t.signIn('supervisor')
        await chefe.request('POST', '/api/user-permissions', { userId: who.userId, flags: all })
        return { waiting, who, talk: await newTalk(t, chefe) }
      }),
  )
  const files = await t.sql`select name from files`
  // Those who wait have nearly all connections of their instance.
  const other = await t.startAnother()
  onTestFinished(() => other.stop())
  const client = await t.openAgain().pool.connect()
  await client.query('begin')
  const held = trials.filter(({ waiting }) => 'json' in waiting.body).map(({ talk }) => talk.conversation)
  for (const [table, ids] of [
    ['contacts', held.map(({ contact }) => contact.id)],
    ['conversations', held.map((conversation) => conversation.id)],
  ] as const)
    await client.query(`select 1 from ${table} where id = any($1) order by id for update`, [ids])
  await client.query(`select pg_advisory_xact_lock(hashtextextended('system_settings', 0))`)
  const finishes = trials.map(({ waiting, who, talk }) => beginWaiting(who, waiting, talk))
  await sleep(200)
  for (const { who } of trials) {
    if (!take) break
    const [method, path, body] = take(who.userId)
    const headers = { authorization: `Bearer ${chefe.token}` }
    const taken = await requestTo(other.url, method, path, body, headers)
    expect(taken.status).toBeLessThan(300)
  }
  await sleep(600)
  await client.query('commit')
  client.release()
  for (const [n, { waiting, who }] of trials.entries()) {
    const status = await finishes[n]?.()
    const seen = { what: waiting.what, status, done: take ? await doneBy(who) : [] }
    if (take) expect(what === 'a flag' ? [403, 404] : [401], JSON.stringify(seen)).toContain(status)
    else expect(status, waiting.what).toBeLessThan(300)
    expect(seen).toMatchObject({ done: [] })
  }
  if (take) expect(await t.sql`select name from files`).toEqual(files)
  await other.stop()
})
