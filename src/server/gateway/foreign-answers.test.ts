import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

// Whatever answers at an address that somebody typed in must not be read through us.

const secret = 'segredo-da-rede-interna'
const asked: string[] = []
let answer: (response: ServerResponse) => void
const inside = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(response)
})
let url = ''

beforeAll(async () => {
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`
})
const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin'))
afterAll(() => void inside.close())

const tryConnection = () =>
  admin.request<object>('POST', '/api/evolution-config/test', { baseUrl: url, apiKey: 'qualquer-chave' })

const kinds: [string, (response: ServerResponse) => void, number | undefined][] = [
  ['a redirect', (r) => r.writeHead(302, { location: `${url}/${secret}` }).end(secret), 302],
  ['an error with a text', (r) => r.writeHead(500, { 'content-type': 'text/plain' }).end(secret), 500],
  ['an error in JSON', (r) => r.writeHead(500).end(JSON.stringify({ message: secret })), 500],
  ['a refusal', (r) => r.writeHead(404).end(JSON.stringify({ error: secret })), 404],
  ['a page', (r) => r.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${secret}</h1>`), undefined],
  ['an object', (r) => r.writeHead(200).end(JSON.stringify({ name: secret })), undefined],
]

describe.each(kinds)('of %s', (_name, response, status) => {
  const reason = status ? `resposta ${status}` : 'a resposta não é de uma Evolution API'

  test('a test of the connection reports the status alone', async () => {
    answer = response
    asked.length = 0
    const { status: ours, body } = await tryConnection()
    expect(ours).toBe(200)
    expect(body).toEqual({
      success: false,
      total: 0,
      instanceNames: [],
      message: expect.stringContaining(reason),
      details: 'Confira se o endereço é o da Evolution API.',
      version: null,
      missingHost: null,
    })
    expect(JSON.stringify(body)).not.toContain(secret)
    // Nobody follows where it leads. The state of the connection is looked at automatically meanwhile, and
    // what is no Evolution API is asked whether it is Evolution Go.
    const own = /^\/(?:$|server\/ok$|instance\/fetchInstances|instance\/connectionState\/)/
    expect(asked.filter((path) => !own.test(path))).toEqual([])
    expect(asked).toContain('/instance/fetchInstances')
  })

  test('registering the webhook reports the status alone', async () => {
    answer = response
    const { instanceName } = t.simulator
    const form = { instanceName, baseUrl: url, apiKey: 'qualquer-chave', isActive: false }
    await admin.request('PUT', `/api/evolution-config/${t.instanceId}`, form)
    const set = await admin.request<object>('POST', '/api/evolution-config/setup-webhook')
    expect(set).toMatchObject({ status: 502, body: { code: 'gateway.unreachable' } })
    expect(set.body).toMatchObject({ message: expect.stringContaining(reason) as string })
    expect(JSON.stringify(set.body)).not.toContain(secret)
    expect(asked.filter((path) => path.includes(secret))).toEqual([])
  })
})

test('of a list, only some short names are shown', async () => {
  const names = Array.from({ length: 500 }, (_, n) => ({ name: `${n}${'x'.repeat(1000)}` }))
  answer = (response) => response.writeHead(200).end(JSON.stringify([...names, 7, null]))
  const { body } = await tryConnection()
  expect(body).toMatchObject({ success: true, total: 502 })
  const { instanceNames } = body as unknown as { instanceNames: string[] }
  expect(instanceNames).toHaveLength(100)
  expect(Math.max(...instanceNames.map(({ length }) => length))).toBeLessThanOrEqual(100)
})
