import { createHmac } from 'node:crypto'
import { type ClientRequest, request } from 'node:http'
import { sql } from 'drizzle-orm'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { createLog } from '#server/platform/log.ts'
import type { Worker } from '#server/platform/work/worker.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { forAllTests } from '#server/testing/for-all-tests.ts'
import {
  eventually,
  filled,
  including,
  testApp,
  testDatabase,
  type TestDatabase,
  testNumber,
} from '#server/testing/test-app.ts'
import { createInboxWriter } from '#server/gateway/inbox/inbox.ts'
import type { EventHandlers } from '#server/gateway/inbox/event-handlers.ts'
import { startInboxWorker } from '#server/gateway/inbox/inbox-worker.ts'
import { findConfigByName, updateConfig } from '#server/gateway/instances/queries.ts'
import { anyEvent } from '#server/testing/inputs/any-event.ts'

const path = '/api/webhook/evolution'
let secret: string

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

beforeAll(async () => {
  secret = (await secretsOf('loja1')).now
})

async function secretsOf(instanceName: string): Promise<{ now: string; token: string }> {
  const config = await findConfigByName(t.database, instanceName)
  return {
    now: t.app.secrets.decrypt(config?.webhookSecretEncrypted ?? ''),
    token: t.app.secrets.decrypt(config?.instanceTokenEncrypted ?? ''),
  }
}

let lastId = 0
const newId = () => `WA${String(++lastId).padStart(6, '0')}`
const now = () => Math.floor(Date.now() / 1000)

interface BodyParts {
  instance?: string
  id?: string
  phone?: string
  name?: string
  text?: string
}

/** A contact's text in the shape of the recorded bodies. */
const bodyOf = ({
  instance = 'loja1',
  id = newId(),
  phone = '5511987650100',
  name,
  text = 'oi',
}: BodyParts) => ({
  event: 'messages.upsert',
  instance,
  data: {
    key: { remoteJid: `${phone}@s.whatsapp.net`, fromMe: false, id, participant: '' },
    pushName: name ?? 'Contato',
    status: 'DELIVERY_ACK',
    message: { conversation: text },
    messageType: 'conversation',
    messageTimestamp: now(),
    instanceId: '5541ba8d-312e-4a06-a375-e606f299614c',
    source: 'android',
  },
  destination: 'http://127.0.0.1/hook',
  date_time: '2026-11-20T16:54:55.485Z',
  sender: '5511955554444@s.whatsapp.net',
  server_url: 'http://127.0.0.1',
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const post = (body: unknown, headers: Record<string, string> = {}) => t.request('POST', path, body, headers)

/** The ids of the stored bodies, processed or not. */
const inboxIds = async () => (await inboxRows()).map((row) => row.id)
const inboxRows = (db: Db = t.database) =>
  rows<{
    id: number
    instanceName: string
    instanceId: number | null
    dedupeKey: string
    payload: Record<string, unknown>
    isProcessed: boolean
    attempts: number
    deadReason: string | null
  }>(
    db,
    sql`select id, instance_name as "instanceName", instance_id as "instanceId", dedupe_key as "dedupeKey",
               payload, processed_at is not null as "isProcessed", attempts, dead_reason as "deadReason"
          from webhook_inbox order by webhook_inbox.id`,
  )
const storedAs = async (id: string) => (await inboxRows()).filter((row) => row.dedupeKey === `upsert:${id}`)

/** That the body is accepted with our secret, and stored. */
async function expectStored(id: string, body: unknown): Promise<void> {
  expect((await post(body, bearer(secret))).status).toBe(200)
  expect(await storedAs(id)).toHaveLength(1)
}

const openOf = async (name: string) =>
  (await admin.get<Conversation[]>('/api/conversations')).filter((row) => row.contact.name === name)
const appeared = (name: string) => eventually(() => openOf(name), filled)

describe('who may speak as the gateway', () => {
  const jwt = (more: { key?: string; exp?: number; claims?: Record<string, unknown> }) =>
    new SignJWT({ app: 'evolution', action: 'webhook', ...more.claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(now() - 600)
      .setExpirationTime(more.exp ?? now() + 600)
      .sign(new TextEncoder().encode(more.key ?? secret))

  /** A token with a chosen header, signed as HS256 would sign it. */
  const forged = (header: Record<string, unknown>, key: string) => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${part(header)}.${part({ app: 'evolution', action: 'webhook', exp: now() + 600 })}`
    return `${unsigned}.${createHmac('sha256', key).update(unsigned).digest('base64url')}`
  }

  const refusals: [string, () => Promise<Record<string, string>> | Record<string, string>][] = [
    ['nothing at all', () => ({})],
    ['another secret', () => bearer('x'.repeat(43))],
    ['a truncated secret', () => bearer(secret.slice(0, -1))],
    ['the secret and one letter more', () => bearer(`${secret}A`)],
    ['an empty bearer', () => ({ authorization: 'Bearer ' })],
    ['the secret without Bearer', () => ({ authorization: secret })],
    ['the secret as a Basic password', () => ({ authorization: `Basic ${btoa(`:${secret}`)}` })],
    ['the secret in another header', () => ({ apikey: secret })],
    ['a JWT that expired more than an hour ago', async () => bearer(await jwt({ exp: now() - 3700 }))],
    ['a JWT signed with something else', async () => bearer(await jwt({ key: 'x'.repeat(43) }))],
    ['a JWT of another program', async () => bearer(await jwt({ claims: { app: 'other' } }))],
    ['a JWT for another action', async () => bearer(await jwt({ claims: { action: 'login' } }))],
    [
      'a JWT without an end',
      async () =>
        bearer(
          await new SignJWT({ app: 'evolution', action: 'webhook' })
            .setProtectedHeader({ alg: 'HS256' })
            .sign(new TextEncoder().encode(secret)),
        ),
    ],
    [
      'a JWT with alg none',
      () =>
        bearer(new UnsecuredJWT({ app: 'evolution', action: 'webhook' }).setExpirationTime('1h').encode()),
    ],
    ['a JWT that says None and is signed', () => bearer(forged({ alg: 'None' }, secret))],
    ['a JWT that says RS256 and is signed with the secret', () => bearer(forged({ alg: 'RS256' }, secret))],
    ['a JWT without a signature', async () => bearer((await jwt({})).replace(/[^.]+$/, ''))],
    ['the session of an administrator', () => bearer(admin.token)],
    ['the session of an administrator as a cookie', () => ({ cookie: `sid=${admin.token}` })],
  ]

  test.each(refusals)('%s is refused with 401 and leaves no row', async (_name, headers) => {
    const before = await inboxIds()
    const answer = await post(bodyOf({ name: 'Impostor' }), await headers())
    expect(answer).toMatchObject({ status: 401, body: { code: 'auth.required' } })
    expect(await inboxIds()).toEqual(before)
    expect(await openOf('Impostor')).toEqual([])
  })

  test.each([
    ['a wrong key', { apikey: 'B5889BBF-552A-4C73-A596-4A3C2E937501' }],
    ['an empty key', { apikey: '' }],
    ['a key that is null', { apikey: null }],
    ['a key that is a list', { apikey: ['key-of-the-simulator'] }],
    ['a key that is true', { apikey: true }],
  ])('%s in the body is refused with 401', async (_name, more) => {
    const before = await inboxIds()
    expect(await post({ ...bodyOf({}), ...more })).toMatchObject({ status: 401 })
    expect(await inboxIds()).toEqual(before)
  })

  test('each flipped bit of a good JWT is refused', async () => {
    const good = await jwt({})
    const signature = Buffer.from(good.split('.')[2] ?? '', 'base64url')
    const before = await inboxIds()
    for (let bit = 0; bit < signature.length * 8; bit += 7) {
      const flipped = Buffer.from(signature)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const token = good.replace(/[^.]+$/, flipped.toString('base64url'))
      expect((await post(bodyOf({}), bearer(token))).status).toBe(401)
    }
    expect(await inboxIds()).toEqual(before)
  })

  const welcome: [string, () => Promise<{ headers?: Record<string, string>; body?: object }>][] = [
    ['our secret', async () => ({ headers: bearer(secret) })],
    ['a JWT signed with our secret', async () => ({ headers: bearer(await jwt({})) })],
    [
      'a JWT that expired half an hour ago, as a late repetition carries it',
      async () => ({ headers: bearer(await jwt({ exp: now() - 1800 })) }),
    ],
    [
      "the instance's own key in the body, where a webhook was set up by hand",
      async () => ({ body: { apikey: (await secretsOf('loja1')).token } }),
    ],
  ]

  test.each(welcome)('a webhook with %s is accepted', async (_name, proof) => {
    const id = newId()
    const { headers, body } = await proof()
    const answer = await post({ ...bodyOf({ id }), ...body }, headers)
    expect(answer).toMatchObject({ status: 200, body: { received: true } })
    expect(await storedAs(id)).toHaveLength(1)
  })

  test('the secret and the key of one number do not open another', async () => {
    const made = await admin.request<EvolutionConfig>('POST', '/api/evolution-config', {
      instanceName: 'loja-vizinha',
      apiKey: 'key-of-the-neighbour',
      baseUrl: t.simulator.url,
    })
    expect(made.status).toBe(201)
    const before = await inboxIds()
    const toNeighbour = bodyOf({ instance: 'loja-vizinha' })
    expect((await post(toNeighbour, bearer(secret))).status).toBe(401)
    expect((await post({ ...toNeighbour, apikey: (await secretsOf('loja1')).token })).status).toBe(401)
    expect((await post({ ...bodyOf({}), apikey: 'key-of-the-neighbour' })).status).toBe(401)
    expect(await inboxIds()).toEqual(before)
    const id = newId()
    expect(
      (await post({ ...bodyOf({ instance: 'loja-vizinha', id }), apikey: 'key-of-the-neighbour' })).status,
    ).toBe(200)
    expect(await storedAs(id)).toHaveLength(1)
  })
})

describe('changing the secret', () => {
  const rotate = async () => (await admin.request('POST', '/api/evolution-config/setup-webhook')).status
  const change = (to: Parameters<typeof updateConfig>[2]) => updateConfig(t.database, t.instanceId, to)
  /** The status of a webhook with this secret. */
  const answered = async (to: string) => (await post(bodyOf({}), bearer(to))).status

  test('the secret before stays good for one change, and not for two', async () => {
    const first = (await secretsOf('loja1')).now
    expect(await rotate()).toBe(200)
    const second = (await secretsOf('loja1')).now
    expect(second).not.toBe(first)
    expect(await answered(first)).toBe(200)
    expect(await answered(second)).toBe(200)
    expect(await rotate()).toBe(200)
    expect(await answered(first)).toBe(401)
    expect(await answered(second)).toBe(200)
    secret = (await secretsOf('loja1')).now
  })

  test('a change that was not notified: the new secret works at once, the old one soon fails', async () => {
    const [was, is] = [(await secretsOf('loja1')).now, 'a-secret-of-another-process']
    expect(await answered(was)).toBe(200)
    await change({
      webhookSecretEncrypted: t.app.secrets.encrypt(is),
      webhookSecretBeforeEncrypted: null,
    })
    expect(await answered(is)).toBe(200)
    expect(await answered(was)).toBe(401)
    await change({ webhookSecretEncrypted: t.app.secrets.encrypt(was) })
    await eventually(async () => await answered(is), 401)
    expect(await answered(was)).toBe(200)
  })

  test('changes that the gateway never heard of do not lock it out', async () => {
    const good = (await secretsOf('loja1')).now
    // Nothing listens at this port.
    await change({ baseUrl: 'http://127.0.0.1:1' })
    expect(await rotate()).toBeGreaterThanOrEqual(500)
    expect(await rotate()).toBeGreaterThanOrEqual(500)
    await change({ baseUrl: t.simulator.url })
    expect(await answered(good)).toBe(200)
    expect(await rotate()).toBe(200)
    secret = (await secretsOf('loja1')).now
    expect(await answered(good)).toBe(200)
    expect(await answered(secret)).toBe(200)
  })

  test('a change that died half-way keeps all secrets that the gateway may have', async () => {
    const good = (await secretsOf('loja1')).now
    const halfWay = 'a-secret-that-the-gateway-may-have-heard-of'
    await change({
      webhookSecretPendingEncrypted: t.app.secrets.encrypt(halfWay),
    })
    expect(await answered(good)).toBe(200)
    expect(await answered(halfWay)).toBe(200)
    expect(await rotate()).toBe(200)
    expect((await secretsOf('loja1')).now).toBe(halfWay)
    expect(await answered(good)).toBe(200)
    expect(await rotate()).toBe(200)
    expect(await answered(good)).toBe(401)
    secret = (await secretsOf('loja1')).now
  })
})

describe('a stranger', () => {
  /** Announces a body and sends a part of it. @returns the status of the answer */
  const announce = (length: number, part: string, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const call = request(t.app.url, {
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
      })
      call.on('response', (answer) => {
        resolve(answer.statusCode ?? 0)
        call.destroy()
      })
      call.on('error', reject)
      call.write(part)
      calls.push(call)
    })
  const calls: ClientRequest[] = []
  afterEach(async () => {
    for (const call of calls.splice(0)) call.destroy()
    // Those that were still open are counted until the server has noticed.
    await eventually(async () => (await post(JSON.stringify(bodyOf({})))).status, 401)
  })

  test('a stranger is sent away before their body is read, however long it is', async () => {
    expect(await announce(90_000_000, '[', { authorization: 'Bearer falso' })).toBe(401)
    expect(await announce(90_000_000, '[')).toBe(413)
  })

  test('a stranger costs no more than a short body, however deep', async () => {
    const deep = '['.repeat(1_000_000)
    expect(await announce(deep.length, deep)).toBe(400)
    // The rest is not waited for.
    expect(await announce(deep.length, deep.slice(0, 1000))).toBe(400)
    const wide = `[${'{},'.repeat(300_000)}{}]`
    expect(await announce(wide.length, wide)).toBe(401)
  })

  test('a stranger can hold only a few bodies open, and the gateway is let in meanwhile', async () => {
    const held = Array.from({ length: 40 }, () => announce(1000, '{"apikey":').catch(() => 0))
    const first = await Promise.race(held)
    expect(first).toBe(503)
    const id = newId()
    await expectStored(id, JSON.stringify(bodyOf({ id })))
  })
})

describe('what is kept', () => {
  const stored = async (id: string) => (await storedAs(id))[0]

  test('the same webhook twenty times, two of them at once, has one effect', async () => {
    const body = bodyOf({ name: 'Repetida', phone: '5511987650102' })
    const answers = await Promise.all([post(body, bearer(secret)), post(body, bearer(secret))])
    for (let n = 0; n < 18; n++) answers.push(await post(body, bearer(secret)))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(await storedAs(body.data.key.id)).toHaveLength(1)
    const [conversation] = await appeared('Repetida')
    const id = conversation?.id ?? 0
    const messages = await admin.get<Message[]>(`/api/conversations/${id}/messages`)
    expect(messages).toHaveLength(1)
    const reported = await t.sql<{ type: string }>`
      select type from events where conversation_id = ${id} order by seq`
    expect(reported.map((row) => row.type)).toEqual(['new_conversation_with_sound', 'message_received'])
    const queued = await t.sql`select id from queue_pending_conversations where conversation_id = ${id}`
    expect(queued).toHaveLength(1)
  })

  test('the same message under another address adds nothing', async () => {
    const id = newId()
    await post(bodyOf({ id, name: 'Primeiro', phone: '5511987650103' }), bearer(secret))
    await appeared('Primeiro')
    const again = bodyOf({ id, name: 'Outro', phone: '5511987650104' })
    await post({ ...again, data: [again.data] }, bearer(secret))
    await eventually(inboxRows, (all) => all.every((row) => row.isProcessed))
    expect(await openOf('Outro')).toEqual([])
    expect((await openOf('Primeiro'))[0]?.messageCount).toBe(1)
  })

  test("the gateway's key is never stored", async () => {
    const id = newId()
    const canary = 'canary-3f1c9a'
    await post({ ...bodyOf({ id }), apikey: canary, api_key: canary }, bearer(secret))
    await post([{ ...bodyOf({}), apikey: canary }, [{ api_key: canary }]], bearer(secret))
    await post({ ...bodyOf({}), ['api\0key']: canary }, bearer(secret))
    const row = await stored(id)
    expect(row?.payload).toMatchObject({ event: 'messages.upsert', instance: 'loja1' })
    expect(JSON.stringify(await inboxRows())).not.toContain(canary)
  })

  test('what a database cannot hold is left out, and the rest of the message arrives', async () => {
    const name = 'Estranho'
    const text = 'a\0b \ud83d c \udc00 d 😀'
    const phone = '5511987650105'
    await post(bodyOf({ name: `${name}\0`, phone, text }), bearer(secret))
    const [conversation] = await appeared(name)
    expect(conversation?.lastMessage?.content).toBe('ab \ufffd c \ufffd d 😀')
  })

  test('a body ten thousand levels deep is stored as far as any real one goes', async () => {
    const deep = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
    const id = newId()
    const body = JSON.stringify(bodyOf({ id })).replace('"source"', `"deep":${deep},"source"`)
    await expectStored(id, body)
  })

  test('a body with a whole picture in it is stored', async () => {
    const id = newId()
    const body = bodyOf({ id })
    const message = { conversation: 'veja', base64: 'A'.repeat(3_000_000) }
    await expectStored(id, { ...body, data: { ...body.data, message } })
  })
})

test.each(['/', '/messages-upsert', '/messages-upsert/', '/send-message', '/qualquer%20coisa'])(
  'the address and %s is the same webhook',
  async (tail) => {
    const id = newId()
    const at = (body: unknown, headers: Record<string, string> = {}) =>
      t.request('POST', `${path}${tail}`, body, headers)
    expect(await at(bodyOf({ id }))).toMatchObject({ status: 401, body: { code: 'auth.required' } })
    expect(await storedAs(id)).toEqual([])
    expect(await at(bodyOf({ id }), bearer(secret))).toMatchObject({ status: 200, body: { received: true } })
    expect(await storedAs(id)).toHaveLength(1)
    expect(await at('not json', bearer(secret))).toMatchObject({ status: 400 })
    expect(await t.request('GET', `${path}${tail}`)).toMatchObject({ status: 404 })
  },
)

test('a webhook posted to a deeper path is not found', async () => {
  expect((await t.request('POST', `${path}/a/b`, bodyOf({}), bearer(secret))).status).toBe(404)
})

test.each([
  ['__proto__', '__proto__', '"__proto__":{"polluted":1},"source"'],
  ['a written __proto__', '__proto__', '"\\u005f_proto__":{"polluted":1},"source"'],
  ['constructor', 'constructor', '"constructor":{"prototype":{"polluted":1}},"source"'],
  ['a constructor that is a text', 'constructor', '"constructor":"x","source"'],
])('a body with %s among its keys is kept, and pollutes nothing', async (_name, key, keys) => {
  const id = newId()
  const body = JSON.stringify(bodyOf({ id, name: 'Protótipo', phone: '5511987650130' }))
  const answer = await post(body.replace('"source"', keys), bearer(secret))
  expect(answer).toMatchObject({ status: 200 })
  const [row] = await eventually(() => storedAs(id), { 0: { isProcessed: true } })
  expect(Object.hasOwn(row?.payload['data'] as object, key)).toBe(true)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('every other call refuses such keys as before', async () => {
  const body = '{"__proto__":{"polluted":1},"username":"chefe","password":"x"}'
  expect((await t.request('POST', '/api/auth/login', body)).status).toBe(400)
})

test.each(['[]', '[{"event":"messages.upsert"}]', '{}', 'null', '3', '"text"', 'true'])(
  'the body %s is kept aside, and nothing is made of it',
  async (body) => {
    expect(await post(body)).toMatchObject({ status: 401 })
    expect(await post(body, bearer(secret))).toMatchObject({ status: 200, body: { received: true } })
    const kept = (await inboxRows()).filter((row) => row.instanceName === '')
    expect(kept.length).toBeGreaterThan(0)
    expect(new Set(kept.map((row) => row.isProcessed))).toEqual(new Set([false]))
  },
)

test.each(['not json', '{', '{"event":', "{'event':1}", '\ufeff{', ''])(
  'the malformed body %j is refused without a word about it',
  async (body) => {
    const answer = await post(body, bearer(secret))
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'request.invalid', message: 'Dados inválidos' },
    })
    expect(Object.keys(answer.body).toSorted()).toEqual(['code', 'message'])
  },
)

test('a name of a number that a database cannot hold is one that nobody configured', async () => {
  const id = newId()
  const instance = `loja-\ud83d\0${'x'.repeat(300)}`
  expect((await post(bodyOf({ id, instance }), bearer(secret))).status).toBe(200)
  expect(await storedAs(id)).toMatchObject([
    { instanceId: null, instanceName: `loja-\ufffd${'x'.repeat(194)}` },
  ])
})

test('webhooks of a number that nobody configured are kept aside, and worked off when it is', async () => {
  const id = newId()
  const body = bodyOf({ instance: 'loja-nova', id, name: 'Adiantado', phone: '5511987650106' })
  expect((await post(body, bearer('wrong'))).status).toBe(401)
  expect(await storedAs(id)).toEqual([])
  expect((await post(body, bearer(secret))).status).toBe(200)
  const [row] = await storedAs(id)
  expect(row).toMatchObject({ instanceName: 'loja-nova', instanceId: null, isProcessed: false })
  expect(await openOf('Adiantado')).toEqual([])
  const made = await admin.request<EvolutionConfig>('POST', '/api/evolution-config', {
    instanceName: 'loja-nova',
    apiKey: 'key-of-the-new-one',
    baseUrl: t.simulator.url,
  })
  expect(made.status).toBe(201)
  expect(await appeared('Adiantado')).toHaveLength(1)
})

describe('an event that cannot be worked off', () => {
  let db: TestDatabase
  let worker: Worker | undefined
  let instanceId: number

  beforeAll(async () => {
    db = await testDatabase()
    instanceId = await testNumber(db.database)
  })
  afterEach(async () => {
    await worker?.stop()
    await db.sql`truncate webhook_inbox`
  })
  afterAll(() => db.close())

  const store = (waId: string, lane: string) =>
    createInboxWriter(db.database).store({
      instanceId,
      instanceName: 'loja1',
      event: 'messages.upsert',
      dedupeKey: `upsert:${waId}`,
      lane,
      payload: bodyOf({ id: waId }),
      eventsByItem: [],
    })
  const all = () => inboxRows(db.database)
  /** Ends the pauses between attempts. */
  const hurry = () => db.sql`update webhook_inbox set not_before = now() where not_before > now()`
  /** Declines batches, so that every row is handled one by one. */
  const alone = (one: EventHandlers['one']): EventHandlers => ({
    one,
    many: async (_db, _instance, events) => events.map(() => false),
  })
  const start = (handle: EventHandlers['one']) =>
    (worker = startInboxWorker(db.database, createLog('silent'), alone(handle)))

  test('an event that fails is put aside with its reason after five attempts; its lane goes on', async () => {
    const handled: string[] = []
    const attempts: string[] = []
    for (const waId of ['poison', 'after-1', 'after-2']) await store(waId, 'a')
    await store('elsewhere', 'b')
    start(async (_db, _instance, event) => {
      if (event.kind !== 'message') return
      attempts.push(event.waId)
      if (event.waId === 'poison') throw new TypeError('cannot read what nobody wrote')
      handled.push(event.waId)
    })
    // Another lane does not wait.
    await eventually(() => handled, including('elsewhere'))
    expect(handled).toEqual(['elsewhere'])
    await eventually(
      () => hurry().then(all),
      (now) => now.every((row) => row.isProcessed || row.deadReason !== null),
    )
    expect(handled).toEqual(['elsewhere', 'after-1', 'after-2'])
    expect(attempts.filter((waId) => waId === 'poison')).toHaveLength(5)
    expect(await all()).toMatchObject([
      { attempts: 5, isProcessed: false, deadReason: 'TypeError: cannot read what nobody wrote' },
      { attempts: 0, isProcessed: true, deadReason: null },
      { attempts: 0, isProcessed: true, deadReason: null },
      { attempts: 0, isProcessed: true, deadReason: null },
    ])
  })

  test('an attempt that failed leaves nothing behind, and one that works leaves it once', async () => {
    let isBroken = true
    await store('half', 'c')
    start(async (tx) => {
      await tx.execute(sql`insert into companies (name) values ('Meia Empresa')`)
      tx.emit(anyEvent('half_done'))
      if (isBroken) throw new Error('half way')
    })
    await eventually(
      () => hurry().then(all),
      ([row]) => (row?.attempts ?? 0) >= 2,
    )
    const traces = () =>
      db.sql`select name from companies where name = 'Meia Empresa' union all
            select type from events where type = 'half_done'`
    expect(await traces()).toEqual([])
    isBroken = false
    await eventually(() => hurry().then(all), { 0: { isProcessed: true } })
    expect(await traces()).toHaveLength(2)
  })

  test('one that was put aside is worked off when it is released after a mend', async () => {
    await store('mended', 'd')
    await db.sql`update webhook_inbox set dead_reason = 'old', attempts = 5`
    const handled: string[] = []
    start(async (_db, _instance, event) => {
      if (event.kind === 'message') handled.push(event.waId)
    })
    await store('newer', 'd')
    await eventually(() => handled, including('newer'))
    await db.sql`update webhook_inbox set dead_reason = null, attempts = 0 where dead_reason = 'old'`
    await eventually(() => handled, including('mended'))
    expect(handled).toEqual(['newer', 'mended'])
  })
})

/** An app whose way to the database can be cut. */
async function withCuttable(work: (parts: Cuttable) => Promise<void>): Promise<void> {
  let way: Awaited<ReturnType<TestDatabase['openCuttable']>> | undefined
  const cut = await testApp({}, { open: async (db) => (way = await db.openCuttable()).database })
  const config = await findConfigByName(cut.database, 'loja1')
  const own = cut.app.secrets.decrypt(config?.webhookSecretEncrypted ?? '')
  try {
    await work({
      cut: () => way?.cut(),
      mend: () => way?.mend(),
      stored: () => inboxRows(cut.database),
      send: (body, key = own) => cut.request('POST', path, body, bearer(key)),
    })
  } finally {
    way?.mend()
    await cut.close()
  }
}
interface Cuttable {
  cut(): void
  mend(): void
  stored(): ReturnType<typeof inboxRows>
  send(body: unknown, key?: string): ReturnType<typeof post>
}

test('a webhook is answered 503 and never refused, and is stored when it is repeated', () =>
  withCuttable(async ({ cut, mend, stored, send }) => {
    const body = bodyOf({ name: 'Insistente', phone: '5511987650107' })
    cut()
    for (let n = 0; n < 5; n++) {
      const answer = await send(body)
      expect(answer).toMatchObject({ status: 503, body: { code: 'request.unavailable' } })
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    // Without the secret as well: during the outage nobody can tell whether it is right.
    expect((await send(body, 'wrong')).status).toBe(503)
    expect(await stored()).toEqual([])
    mend()
    expect((await send(body)).status).toBe(200)
    await eventually(stored, (all) => all.length === 1 && all[0]?.isProcessed === true)
  }))

test('connections that die under way end in 503 or 200, and what was answered 200 is there', () =>
  withCuttable(async ({ cut, mend, stored, send }) => {
    const bodies = Array.from({ length: 60 }, () => bodyOf({}))
    const answers = bodies.map((body) => send(body))
    await answers[0]
    cut()
    const statuses = (await Promise.all(answers)).map((answer) => answer.status)
    mend()
    expect(new Set(statuses).difference(new Set([200, 503]))).toEqual(new Set())
    const kept = new Set((await stored()).map((row) => row.dedupeKey))
    for (const [index, body] of bodies.entries())
      if (statuses[index] === 200) expect(kept).toContain(`upsert:${body.data.key.id}`)
  }))
