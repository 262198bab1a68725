import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvolutionConfig } from '#shared/gateway.ts'
import { type Client, testApp, type TestApp } from '#server/testing/test-app.ts'

let t: TestApp
let admin: Client

beforeAll(async () => {
  t = await testApp()
  admin = await t.signIn('admin')
})
afterAll(() => t.close())

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
    expect(await save({ webhookUrl })).toMatchObject({
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
