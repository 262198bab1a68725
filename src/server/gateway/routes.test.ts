import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin'))

const save = (more: object) => {
  const { url: baseUrl, instanceName } = t.simulator
  const body = { instanceName, baseUrl, apiKey: '', isActive: true, ...more }
  return admin.request<EvolutionConfig>('PUT', `/api/evolution-config/${t.instanceId}`, body)
}

test.each(['nonsense', 'ftp://a.example', 'javascript:alert(1)', 'http://'])(
  'a webhook address to which nothing could come is refused: %s',
  async (webhookUrl) => {
    const before = await admin.request<EvolutionConfig>('GET', '/api/evolution-config')
    const text = 'URL do webhook deve ser uma URL válida'
    expect(await save({ webhookUrl })).toMatchObject({
      status: 400,
      body: { message: text, fields: { webhookUrl: text } },
    })
    expect((await admin.request('GET', '/api/evolution-config')).body).toEqual(before.body)
  },
)

test.each(['', '  ', 'https://console.example/hook'])(
  'an address of the web or none is taken: %j',
  async (webhookUrl) => {
    expect(await save({ webhookUrl, apiKey: t.simulator.apiKey })).toMatchObject({
      status: 200,
      body: { webhookUrl: webhookUrl.trim() || null },
    })
  },
)

test.each([
  ['x', ''],
  ['curta-12345', ''],
  ['chave-de-12-', '-12-'],
  ['uma-chave-bem-mais-comprida', 'rida'],
])('of the key %s its end is shown: %j', async (apiKey, hint) => {
  expect((await save({ apiKey })).body.apiKeyHint).toBe(hint)
})

/** The last entries about the gateway, the newest first: what was done, and its details. */
const audit = async (count: number) => {
  const found = await t.sql<{ action: string; details: object }>`
    select action, details from audit_logs where resource_type = 'gateway'
         order by id desc limit ${count}`
  return found.map(({ action, details }) => [action, details])
}

describe('the address of the webhook', () => {
  const elsewhere = 'https://nome:senha@longe.example/hook?token=segredo'
  const audited = 'https://longe.example/hook'
  beforeAll(() => save({ webhookUrl: '', apiKey: t.simulator.apiKey }))

  test('the address of the webhook does not move without the key, and each attempt is audited', async () => {
    const text = 'As mensagens iriam para outro servidor: informe a chave da API de novo.'
    expect(await save({ webhookUrl: elsewhere })).toMatchObject({
      status: 400,
      body: { code: 'gateway.key_needed', message: text, fields: { apiKey: text } },
    })
    expect((await admin.request('GET', '/api/evolution-config')).body).toMatchObject({ webhookUrl: null })
    expect((await save({ webhookUrl: elsewhere, apiKey: t.simulator.apiKey })).status).toBe(200)
    // On the same server, and back to our own.
    expect((await save({ webhookUrl: 'https://longe.example/outro' })).status).toBe(200)
    expect((await save({ webhookUrl: `${t.app.url}/api/webhook/evolution` })).status).toBe(200)
    expect((await save({ webhookUrl: '' })).status).toBe(200)
    const { instanceName, url: baseUrl } = t.simulator
    const own = `${t.app.url}/api/webhook/evolution`
    expect(await audit(5)).toEqual([
      [
        'gateway.update',
        {
          instanceName,
          baseUrl,
          isKeyChanged: false,
          webhookUrl: null,
          changes: { webhookUrl: [own, null] },
        },
      ],
      [
        'gateway.update',
        {
          instanceName,
          baseUrl,
          isKeyChanged: false,
          webhookUrl: own,
          changes: { webhookUrl: ['https://longe.example/outro', own] },
        },
      ],
      [
        'gateway.update',
        expect.objectContaining({ changes: { webhookUrl: [audited, 'https://longe.example/outro'] } }),
      ],
      [
        'gateway.update',
        expect.objectContaining({ isKeyChanged: true, changes: { webhookUrl: [null, audited] } }),
      ],
      [
        'gateway.refused',
        { attempt: 'update', instanceName, baseUrl, webhookUrl: audited, reason: 'gateway.key_needed' },
      ],
    ])
  })

  test('the address of the webhook is audited when it is registered', async () => {
    expect((await admin.request('POST', '/api/evolution-config/setup-webhook')).status).toBe(200)
    const { instanceName } = t.simulator
    expect(await audit(1)).toEqual([
      ['gateway.webhook', { instanceName, url: `${t.app.url}/api/webhook/evolution` }],
    ])
  })
})

describe('the stored key', () => {
  const given: (string | undefined)[] = []
  let other: Server
  let otherUrl = ''
  beforeAll(async () => {
    other = createServer((request, response) => {
      given.push(request.headers['apikey'] as string | undefined)
      response.setHeader('content-type', 'application/json').end('[]')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  })
  afterAll(() => other.close())
  const keyNeeded = {
    status: 400,
    body: {
      code: 'gateway.key_needed',
      fields: { apiKey: 'O endereço é de outro servidor: informe a chave da API de novo.' },
    },
  }

  test('the stored key is sent to no server but its own: a test of another asks for the key', async () => {
    await save({ apiKey: t.simulator.apiKey })
    const probe = (baseUrl: string, apiKey: string) =>
      admin.request<{ success: boolean }>('POST', '/api/evolution-config/test', { baseUrl, apiKey })
    expect(await probe(otherUrl, '')).toMatchObject(keyNeeded)
    expect(given).toEqual([])
    expect((await probe(otherUrl, 'chave-de-la')).body.success).toBe(true)
    expect(new Set(given)).toEqual(new Set(['chave-de-la']))
    // Another path of the same server is still that server.
    expect((await probe(`${t.simulator.url}/`, '')).body.success).toBe(true)
    expect(await audit(3)).toEqual([
      ['gateway.test', { baseUrl: t.simulator.url, success: true }],
      ['gateway.test', { baseUrl: otherUrl, success: true }],
      ['gateway.refused', { attempt: 'test', baseUrl: otherUrl, reason: 'gateway.key_needed' }],
    ])
  })

  test('the test of the connection refuses an Evolution Go in one sentence', async () => {
    const go = createServer(({ url }, response) => {
      if (url === '/server/ok') response.setHeader('content-type', 'application/json').end('{"status":"ok"}')
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
    }).listen(0, '127.0.0.1')
    await once(go, 'listening')
    const baseUrl = `http://127.0.0.1:${(go.address() as AddressInfo).port}`
    const { body } = await admin.request('POST', '/api/evolution-config/test', { baseUrl, apiKey: 'chave' })
    go.closeAllConnections()
    go.close()
    const message =
      'O que responde neste endereço é o Evolution Go, que tem outra API: ' +
      'informe o endereço de uma Evolution API.'
    expect(body).toMatchObject({ success: false, message, details: '' })
  })

  test('the stored key does not go along to a changed address, and the change is audited', async () => {
    given.length = 0
    expect(await save({ baseUrl: otherUrl })).toMatchObject(keyNeeded)
    expect(await admin.request('GET', '/api/evolution-config')).toMatchObject({
      body: { baseUrl: t.simulator.url },
    })
    expect((await save({ baseUrl: otherUrl, apiKey: 'chave-de-la' })).status).toBe(200)
    expect((await save({ baseUrl: t.simulator.url, apiKey: t.simulator.apiKey })).status).toBe(200)
    expect(given.every((key) => key === 'chave-de-la')).toBe(true)
    expect(await audit(3)).toMatchObject([
      ['gateway.update', { isKeyChanged: true, changes: { baseUrl: [otherUrl, t.simulator.url] } }],
      ['gateway.update', { isKeyChanged: true, changes: { baseUrl: [t.simulator.url, otherUrl] } }],
      ['gateway.refused', { attempt: 'update', baseUrl: otherUrl, reason: 'gateway.key_needed' }],
    ])
  })
})
