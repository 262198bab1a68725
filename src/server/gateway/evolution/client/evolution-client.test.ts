import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OutgoingHttp, OutgoingCall } from '#server/platform/http/outgoing-http.ts'
import { judgeSend } from './answers.ts'
import { createEvolutionClient } from './evolution-client.ts'
import { fetchPicture } from './pictures.ts'

type Answer = { status: number; body: unknown }
const instance = { baseUrl: 'http://g.example', instanceName: 'loja 1', apiKey: 'k' }

/** A client whose calls are answered so. */
const clientWith = (fetchJson: OutgoingHttp['fetchJson']) =>
  createEvolutionClient({
    fetchJson,
    fetchStream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  })

const message = (...words: unknown[]) => ({ status: 400, error: 'Bad Request', response: { message: words } })
const sent = { key: { id: '3EB0', fromMe: true, remoteJid: 'x' }, status: 'PENDING' }
const notThere = message({ jid: '5511@s.whatsapp.net', exists: false, number: '5511' })

test('a sent message has an id, and the address of its chat', () => {
  expect(judgeSend(201, sent)).toEqual({ kind: 'sent', waId: '3EB0', jid: 'x' })
  expect(judgeSend(201, { key: { id: '3EB0' } })).toEqual({ kind: 'sent', waId: '3EB0' })
})

test.each<[number, unknown, string]>([
  [201, sent, 'sent'],
  [200, sent, 'sent'],
  // Only an id proves that the message was sent.
  [201, {}, 'unknown'],
  [201, undefined, 'unknown'],
  [201, 'ok', 'unknown'],
  [201, [sent], 'unknown'],
  [201, { key: {} }, 'unknown'],
  [201, { key: { id: 7 } }, 'unknown'],
  [201, { key: { id: '' } }, 'unknown'],
  [200, { error: true, message: '[object Object]' }, 'unknown'],
  // Definitive refusals.
  [400, notThere, 'refused not_on_whatsapp'],
  [413, '<html>Request Entity Too Large</html>', 'refused text_too_large'],
  // Answered before anything is done.
  [401, { status: 401, error: 'Unauthorized', response: { message: 'Unauthorized' } }, 'not_sent key'],
  [403, undefined, 'not_sent key'],
  [404, message('The "x" instance does not exist'), 'not_sent no_instance'],
  [429, undefined, 'not_sent busy'],
  [503, { error: 'service not activated', code: 'LICENSE_REQUIRED' }, 'not_sent license'],
  // The shape of a refusal with another status, or a similar shape.
  [500, notThere, 'unknown'],
  [400, message({ exists: true }), 'unknown'],
  [400, message({ exists: 'false' }), 'unknown'],
  [400, { message: [{ exists: false }] }, 'unknown'],
  [400, message('Error: Timed Out'), 'unknown'],
  [400, message(['instance requires property "text"']), 'unknown'],
  [400, { data: null, isBoom: true, output: { statusCode: 428 } }, 'unknown'],
  [400, undefined, 'unknown'],
  [404, '404 page not found', 'unknown'],
  [408, undefined, 'unknown'],
  [409, undefined, 'unknown'],
  [422, undefined, 'unknown'],
  [500, message('Connection Closed: 503'), 'unknown'],
  [500, message('Error: Timed Out; Connection Closed'), 'unknown'],
  [502, { response: { message: 'Connection Closed' } }, 'unknown'],
  // WhatsApp's socket is closed: thrown before the message leaves.
  [400, message('Error: Connection Closed'), 'not_sent socket'],
  [500, { status: 500, response: { message: 'Connection Closed' } }, 'not_sent socket'],
  [400, message("TypeError: Cannot read properties of undefined (reading 'sendMessage')"), 'not_sent socket'],
  // Of a file, the upload fails before the send.
  [500, message('Error: Connection Closed'), 'not_sent socket'],
  [
    500,
    message("TypeError: Cannot read properties of undefined (reading 'waUploadToServer')"),
    'not_sent socket',
  ],
  [500, message('Error: Timed Out'), 'unknown'],
  [500, message('Error: connect ECONNREFUSED 10.0.0.7:443'), 'unknown'],
  [500, undefined, 'unknown'],
  [502, '<html>Bad Gateway</html>', 'unknown'],
  [503, '<html>Service Unavailable</html>', 'unknown'],
  [504, '', 'unknown'],
  [301, undefined, 'unknown'],
  [302, undefined, 'unknown'],
  [307, undefined, 'unknown'],
  [418, sent, 'unknown'],
  [500, sent, 'unknown'],
  [599, null, 'unknown'],
])('a send answered with %i and %j is judged %s', (status, body, verdict) => {
  const result = judgeSend(status, body)
  const why = result.kind === 'refused' ? result.reason : result.kind === 'not_sent' ? result.hindrance : ''
  expect(`${result.kind} ${why}`.trim()).toBe(verdict)
  if (result.kind === 'sent') expect(result.waId).toBe('3EB0')
  else expect(result.detail.length).toBeLessThanOrEqual(300)
})

test('an answer that nobody foresaw is never taken for sent or refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), fc.jsonValue(), (status, body) => {
      fc.pre(![401, 403, 413, 429].includes(status))
      const result = judgeSend(status, body)
      expect(result.kind).toBe('unknown')
      if (result.kind === 'unknown') expect(result.detail.length).toBeLessThanOrEqual(300)
    }),
  )
})

test('a file that is too large is called one', () => {
  expect(judgeSend(413, undefined, true)).toMatchObject({ kind: 'refused', reason: 'too_large' })
})

test.each<[number, unknown, string]>([
  [200, { message: { protocolMessage: { timestampMs: '1760000000123' } } }, 'done'],
  [400, message('Message not compatible'), 'refused'],
  [404, message('Message not found'), 'refused'],
  [400, message('Error: Timed Out'), 'unconfirmed'],
  // What a proxy says is not WhatsApp's word.
  [301, '', 'unconfirmed'],
  [404, '404 page not found', 'unconfirmed'],
  [408, '<html>', 'unconfirmed'],
  [502, '<html>Bad Gateway</html>', 'unconfirmed'],
  [401, { response: { message: 'Unauthorized' } }, 'not_changed key'],
  [403, undefined, 'not_changed key'],
  [404, message('The "x" instance does not exist'), 'not_changed no_instance'],
  [429, undefined, 'not_changed busy'],
  [503, { code: 'LICENSE_REQUIRED' }, 'not_changed license'],
  [400, message('Error: Connection Closed'), 'not_changed socket'],
  [500, message('Connection Closed'), 'not_changed socket'],
])('a change answered with %i and %j is judged %s', async (status, body, verdict) => {
  const client = clientWith(() => Promise.resolve({ status, body }))
  for (const result of [
    await client.editMessage(instance, { to: 'x', waId: 'A', text: 'oi' }),
    await client.deleteMessage(instance, { to: 'x', waId: 'A' }),
  ])
    expect(result.kind === 'not_changed' ? `not_changed ${result.hindrance}` : result.kind).toBe(verdict)
})

test.each<[number, unknown, string]>([
  [200, { instance: { state: 'open' } }, 'open'],
  [200, { instance: { state: 'connecting' } }, 'connecting'],
  [200, { instance: { state: 'close' } }, 'close'],
  [401, undefined, 'unauthorized'],
  [403, undefined, 'unauthorized'],
  [404, message('The "x" instance does not exist'), 'close'],
  [503, { code: 'LICENSE_REQUIRED' }, 'unlicensed'],
  // What answers is not the gateway, or says nothing of the number.
  [429, undefined, 'unreachable'],
  [500, undefined, 'unreachable'],
  [502, '<html>Bad Gateway</html>', 'unreachable'],
  [503, '<html>', 'unreachable'],
])('a number whose state is answered with %i and %j is %s', async (status, body, state) => {
  const client = clientWith(() => Promise.resolve({ status, body }))
  expect(await client.connectionState(instance)).toBe(state)
})

describe('what an error proves about a send', () => {
  const failing = (error: unknown) =>
    clientWith(() => Promise.reject(error as Error)).sendText(instance, {
      to: '5511',
      text: 'oi',
      quoted: undefined,
    })
  const coded = (code: string) => Object.assign(new Error(code), { code })

  test.each([
    ['ECONNREFUSED', 'not_sent'],
    ['ENOTFOUND', 'not_sent'],
    ['EAI_AGAIN', 'not_sent'],
    ['EHOSTUNREACH', 'not_sent'],
    ['UND_ERR_CONNECT_TIMEOUT', 'not_sent'],
    ['ECONNRESET', 'unknown'],
    ['EPIPE', 'unknown'],
    ['UND_ERR_SOCKET', 'unknown'],
    ['UND_ERR_HEADERS_TIMEOUT', 'unknown'],
    ['UND_ERR_BODY_TIMEOUT', 'unknown'],
    ['ETIMEDOUT', 'unknown'],
  ])('a send that failed with %s is judged %s', async (code, kind) => {
    expect((await failing(coded(code))).kind).toBe(kind)
  })

  test('a time-out, and anything else that is thrown, proves nothing', async () => {
    for (const error of [
      new DOMException('x', 'TimeoutError'),
      new Error('answer too large'),
      'text',
      undefined,
    ])
      expect((await failing(error)).kind).toBe('unknown')
  })
})

test('what is asked names the instance safely, and shows the key in its header alone', async () => {
  const calls: { url: string; headers?: Record<string, string> }[] = []
  const client = clientWith((call) => {
    calls.push(call)
    return Promise.resolve({ status: 201, body: sent })
  })
  for (const instanceName of ['loja 1', 'ção', '../../instance/delete/x', 'a?b=c#d', 'a/b'])
    await client.sendText(
      { baseUrl: 'http://g.example///', instanceName, apiKey: 'chave' },
      { to: '1', text: 'oi', quoted: undefined },
    )
  expect(calls.map((call) => new URL(call.url).pathname.split('/').length)).toEqual([4, 4, 4, 4, 4])
  for (const call of calls) {
    expect(call.url).toMatch(/^http:\/\/g\.example\/message\/sendText\/[^/?#]+$/)
    expect(call.url).not.toContain('chave')
    expect(call.headers).toEqual({ apikey: 'chave' })
  }
})

type Asked = Pick<OutgoingCall, 'method' | 'body'> & { path: string }
const webhook = { url: 'http://c.example/x', secret: 's' }

/** A gateway that gives these answers, one after the other; its release is asked for apart. */
function gatewayOf(...answers: Answer[]) {
  const asked: Asked[] = []
  const client = clientWith(({ url, method, body }) => {
    const { pathname, search } = new URL(url)
    if (pathname === '/') return Promise.resolve({ status: 200, body: { version: '2.3.7' } })
    asked.push({ method, path: `${pathname}${search}`, body })
    const answer = answers.shift()
    return answer ? Promise.resolve(answer) : Promise.reject(new Error('not expected'))
  })
  return { client, asked }
}

const created = (hash: unknown, qrcode: unknown) => ({ status: 201, body: { hash, qrcode } })
const inUse = { status: 403, body: { response: { message: ['This name "loja 1" is already in use.'] } } }
const refusal = (status: number, message: unknown) => ({ status, body: { response: { message } } })

test('an instance is created with integration, events and secret in the one call', async () => {
  const { client, asked } = gatewayOf(created('TOKEN', { code: '2@a', pairingCode: null, count: 1 }))
  expect(await client.createInstance(instance, { webhook, number: '5511955554444' })).toEqual({
    token: 'TOKEN',
    isOpen: false,
    code: { text: '2@a', pairingCode: null },
  })
  expect(asked).toMatchObject([
    {
      method: 'POST',
      path: '/instance/create',
      body: {
        instanceName: 'loja 1',
        integration: 'WHATSAPP-BAILEYS',
        qrcode: true,
        number: '5511955554444',
        webhook: {
          enabled: true,
          url: 'http://c.example/x',
          headers: { authorization: 'Bearer s' },
          events: expect.arrayContaining(['QRCODE_UPDATED', 'MESSAGES_UPSERT']) as string[],
        },
      },
    },
  ])
})

test.each<[string, Answer, { token: string | undefined; code: undefined }]>([
  ['no code yet', created('T', { count: 0 }), { token: 'T', code: undefined }],
  [
    'the key in an object, as release 1 gives it',
    created({ apikey: 'T' }, undefined),
    { token: 'T', code: undefined },
  ],
  ['no key', created(undefined, { code: '' }), { token: undefined, code: undefined }],
])('an answer to that with %s is understood', async (_what, answer, expected) => {
  const { client } = gatewayOf(answer)
  expect(await client.createInstance(instance, { webhook, number: undefined })).toMatchObject(expected)
})

test('a release that refuses the newer events is asked with those that all know', async () => {
  const { client, asked } = gatewayOf(refusal(400, [['not one of the enum']]), created('T', { count: 0 }))
  await client.createInstance(instance, { webhook, number: undefined })
  const events = asked.map(({ body }) => (body as { webhook: { events: string[] } }).webhook.events)
  expect(events[0]).toContain('STATUS_INSTANCE')
  expect(events[1]).not.toContain('STATUS_INSTANCE')
})

test('a name that is in use creates nothing; a key of an instance may not', async () => {
  const options = { webhook, number: undefined }
  expect(await gatewayOf(inUse).client.createInstance(instance, options)).toBeUndefined()
  for (const status of [401, 403])
    await expect(
      gatewayOf(refusal(status, 'Unauthorized')).client.createInstance(instance, options),
    ).rejects.toMatchObject({ code: 'gateway.key_of_instance' })
  const license = { status: 503, body: { error: 'service not activated', code: 'LICENSE_REQUIRED' } }
  await expect(gatewayOf(license).client.createInstance(instance, options)).rejects.toMatchObject({
    code: 'gateway.license',
  })
})

test.each<[string, unknown, unknown]>([
  [
    'a code',
    { pairingCode: 'ABCD1234', code: '2@b', count: 2 },
    { isOpen: false, code: { text: '2@b', pairingCode: 'ABCD1234' } },
  ],
  ['no code yet', { count: 0 }, { isOpen: false, code: undefined }],
  [
    'a number that is open',
    { instance: { instanceName: 'loja 1', state: 'open' } },
    { isOpen: true, code: undefined },
  ],
])('asking for a code is answered with %s', async (_what, body, expected) => {
  const { client, asked } = gatewayOf({ status: 200, body })
  expect(await client.connect(instance, '5511955554444')).toEqual(expected)
  expect(asked[0]).toMatchObject({ method: 'GET', path: '/instance/connect/loja%201?number=5511955554444' })
})

const lost = { status: 200, body: { error: true, message: '[object Object]' } }

test('a failure that is answered with 200 is one', async () => {
  await expect(gatewayOf(lost).client.connect(instance)).rejects.toMatchObject({
    code: 'gateway.unreachable',
  })
  expect(await gatewayOf(lost).client.restart(instance)).toBe(false)
})

test('release 1 opens the socket again by PUT', async () => {
  const stale = { status: 200, body: { instance: { instanceName: 'loja 1', state: 'open' } } }
  const { client, asked } = gatewayOf(refusal(404, ['Cannot POST /instance/restart/loja%201']), stale)
  expect(await client.restart(instance)).toBe(true)
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'PUT'])
})

test('ending a session that has ended is no error; another refusal is', async () => {
  const ended = refusal(400, ['The "loja 1" instance is not connected'])
  await gatewayOf(ended).client.logOut(instance)
  const { client, asked } = gatewayOf({ status: 200, body: { status: 'SUCCESS', error: false } })
  await client.logOut(instance)
  expect(asked[0]).toMatchObject({ method: 'DELETE', path: '/instance/logout/loja%201' })
  await expect(gatewayOf(refusal(500, 'boom')).client.logOut(instance)).rejects.toMatchObject({
    code: 'gateway.unreachable',
  })
})

test('instances are known by the rows of release 2 and by the objects of release 1', async () => {
  const rows = [
    {
      name: 'a',
      connectionStatus: 'close',
      ownerJid: '55@s.whatsapp.net',
      token: 't',
      disconnectionReasonCode: 401,
    },
    { instance: { instanceName: 'b', status: 'open', owner: '56@s.whatsapp.net', apikey: 'u' } },
  ]
  expect(await gatewayOf({ status: 200, body: rows }).client.fetchInstances(instance)).toMatchObject([
    { name: 'a', connectionStatus: 'close', ownerJid: '55@s.whatsapp.net', token: 't', reason: 'phone' },
    { name: 'b', connectionStatus: 'open', ownerJid: '56@s.whatsapp.net', token: 'u', reason: undefined },
  ])
})

interface GatewayOf {
  /** As `GET /` gives it; undefined: it does not say. */
  release: string | undefined
  /** Release 2.2 refuses events that it does not know. */
  known?: (event: string) => boolean
}

/** Sets our webhook at a gateway. @returns the lists of events that it was asked for, one after the other */
async function eventsAskedOf({ release, known = () => true }: GatewayOf): Promise<string[][]> {
  const asked: string[][] = []
  const client = clientWith(({ url, body }) => {
    if (new URL(url).pathname === '/') return Promise.resolve({ status: 200, body: { version: release } })
    const { webhook } = body as { webhook: { events: string[] } }
    asked.push(webhook.events)
    return Promise.resolve({ status: webhook.events.every(known) ? 201 : 400, body: undefined })
  })
  await client.setWebhook(instance, webhook)
  return asked
}

test.each<[string | undefined, boolean]>([
  ['1.8.2', true],
  ['2.2.3', true],
  ['2.3.6', true],
  ['2.3.7', false],
  ['2.3.7-rc.1', false],
  ['2.3.10', false],
  ['2.4.0-rc2', false],
  ['3.0.0', false],
  // Whatever cannot be read may wait for it.
  [undefined, false],
  ['', false],
  ['latest', false],
])('release %j is asked for the event of edits: %j', async (release, isAsked) => {
  const [events] = await eventsAskedOf({ release })
  expect(events?.includes('MESSAGES_EDITED')).toBe(isAsked)
  expect(events).toContain('MESSAGES_UPDATE')
})

test.each(['2.3.7', undefined])(
  'release %j that refuses the list is not asked for the event of edits in the shorter one either',
  async (release) => {
    const lists = await eventsAskedOf({ release, known: (event) => event !== 'STATUS_INSTANCE' })
    expect(lists).toHaveLength(2)
    expect(lists[1]).toContain('MESSAGES_UPSERT')
    expect(lists[1]).not.toContain('STATUS_INSTANCE')
    expect(lists.flat()).not.toContain('MESSAGES_EDITED')
  },
)

test('release 2.2 is asked for what it knows', async () => {
  const isOld = (event: string) => !['SEND_MESSAGE_UPDATE', 'STATUS_INSTANCE'].includes(event)
  const lists = await eventsAskedOf({ release: '2.2.3', known: isOld })
  expect(lists).toHaveLength(2)
  expect(lists[1]).toContain('MESSAGES_EDITED')
})

function answering(answer: Answer | Error): OutgoingHttp {
  async function* bytes(body: unknown) {
    yield Buffer.from(JSON.stringify(body))
  }
  return {
    fetchJson: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
    fetchStream: () =>
      answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ status: answer.status, body: bytes(answer.body) }),
    close: () => Promise.resolve(),
  }
}

const refusedWith = (status: number, ...message: string[]): Answer => ({
  status,
  body: { status, error: 'x', response: { message } },
})

type Client = ReturnType<typeof createEvolutionClient>
const calls: [string, (client: Client, http: OutgoingHttp, onAway: () => void) => Promise<unknown>][] = [
  ['a send', (client) => client.sendText(instance, { to: '5511', text: 'oi', quoted: undefined })],
  ['a receipt', (client) => client.markRead(instance, { to: 'x', waIds: ['A'] })],
  ['a file', (client) => client.fetchMedia(instance, 'A', () => Promise.resolve())],
  [
    'a picture',
    (_client, http, onAway) => fetchPicture({ http, onAway }, instance, '5511', () => Promise.resolve()),
  ],
]

/** Whether the call that gets this answer says that WhatsApp, or the gateway, is away. */
async function saysAway(call: (typeof calls)[number][1], answer: Answer | Error): Promise<boolean> {
  let times = 0
  const onAway = () => void times++
  const http = answering(answer)
  await call(createEvolutionClient(http, { onAway }), http, onAway).catch(() => undefined)
  expect(times).toBeLessThanOrEqual(1)
  return times > 0
}

test.each(calls)('%s that finds the connection closed, or the gateway away, says so', async (_what, call) => {
  expect(await saysAway(call, new Error('ECONNREFUSED'))).toBe(true)
  expect(await saysAway(call, refusedWith(500, 'Connection Closed'))).toBe(true)
  expect(await saysAway(call, refusedWith(400, 'Error: Connection Closed'))).toBe(true)
  expect(await saysAway(call, refusedWith(500, 'Read messages fail', 'Error: Connection Closed'))).toBe(true)
})

test.each(calls)(
  '%s that is answered by a proxy, or without its key or instance, says so',
  async (_what, call) => {
    for (const status of [500, 502, 503, 504])
      expect(await saysAway(call, { status, body: '<html>' })).toBe(true)
    for (const status of [401, 403])
      expect(await saysAway(call, refusedWith(status, 'Unauthorized'))).toBe(true)
    expect(await saysAway(call, refusedWith(404, 'The "loja1" instance does not exist'))).toBe(true)
  },
)

test.each(calls)('%s that is refused for another reason, or done, does not', async (_what, call) => {
  expect(await saysAway(call, refusedWith(400, 'Error: Timed Out'))).toBe(false)
  expect(await saysAway(call, refusedWith(404, 'Message not found'))).toBe(false)
  expect(await saysAway(call, refusedWith(429, 'Too Many Requests'))).toBe(false)
  expect(await saysAway(call, { status: 200, body: { text: 'Connection Closed' } })).toBe(false)
})
