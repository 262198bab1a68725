import { expect, test } from 'vitest'
import type { OutgoingCall, OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { createEvolutionClient } from './evolution-client.ts'

type Answer = { status: number; body: unknown }
type Asked = Pick<OutgoingCall, 'method' | 'body'> & { path: string }

const instance = { baseUrl: 'http://g.example', instanceName: 'loja 1', apiKey: 'k' }
const webhook = { url: 'http://c.example/x', secret: 's' }

/** A gateway that gives these answers, one after the other; its release is asked for apart. */
function gatewayOf(...answers: Answer[]) {
  const asked: Asked[] = []
  const http: OutgoingHttp = {
    fetchJson({ url, method, body }) {
      const { pathname, search } = new URL(url)
      if (pathname === '/') return Promise.resolve({ status: 200, body: { version: '2.3.7' } })
      asked.push({ method, path: `${pathname}${search}`, body })
      const answer = answers.shift()
      return answer ? Promise.resolve(answer) : Promise.reject(new Error('not expected'))
    },
    fetchStream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  }
  return { client: createEvolutionClient(http), asked }
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
