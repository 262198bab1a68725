import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#shared/endpoint.ts'
import { errorBody } from '#shared/errors.ts'
import { errorTexts } from '#shared/text/error-texts.ts'
import { createRandom } from '#simulator/random.ts'
import { allCalls, validValues } from './testing/calls.ts'
import { damaged, foreignKeys, strangeTexts } from './testing/inputs/damage.ts'
import { testApp } from './testing/test-app.ts'
import { forAllTests } from '#server/testing/for-all-tests.ts'
import { atNight, spread } from '#server/testing/nightly.ts'

const calls = await allCalls()
const nameOf = (call: Endpoint) => `${call.method} ${call.path.replace(/:(\w+)/g, '{$1}')}`
const named = calls.map((call) => [nameOf(call), call] as const)

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

/** The calls that the running server lists, except the webhook, which has a fuzzer of its own. */
async function servedCalls(): Promise<string[]> {
  const { body } = await admin.request<{ paths: Record<string, object> }>('GET', '/api/docs')
  return Object.entries(body.paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((name) => name !== 'POST /api/webhook/evolution')
}

const urls = () => [t.simulator.url, 'http://127.0.0.1:1']

test('what is shot at the calls is made for every call that is served, and for no others', async () => {
  const served = await servedCalls()
  expect(named.map(([name]) => name).toSorted()).toEqual(served.toSorted())
  expect(served.length).toBeGreaterThan(20)
})

test.each(named)('a damaged call begins with what %s accepts', (_name, call) => {
  for (const schema of [call.params, call.query, call.body].filter((one) => one !== undefined))
    expect(validValues(schema, 1, 20, urls()).length).toBeGreaterThan(5)
})

test('what is shot at the calls names every column of every table', () => {
  expect(foreignKeys.length).toBeGreaterThan(150)
  for (const key of ['role', 'isBlocked', 'is_blocked', 'passwordHash', 'assignedUserId', '__proto__'])
    expect(foreignKeys).toContain(key)
})

const strictError = z.strictObject(errorBody.shape)

/** Expects a success or a refusal that reveals nothing, and no internal error. */
function expectSound(status: number, body: unknown, what: string): void {
  if (status >= 500)
    expect(
      ['gateway.unreachable', 'gateway.hindered', 'gateway.key_refused', 'assistant.failed'],
      what,
    ).toContain((body as { code?: string }).code)
  if (status >= 400) expect(strictError.safeParse(body).success, what).toBe(true)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}

describe('a damaged call', () => {
  // Ending the session of the test would end the test; logout has its own tests.
  const shot = named.filter(([name]) => name !== 'POST /api/auth/logout')
  test.each(shot)('a damaged call of %s is refused or done', async (_name, call) => {
    const random = createRandom(call.path.length)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
    const bodies = call.body ? validValues(call.body, 3, 20, urls()) : [{}]
    const params = call.params ? validValues(call.params, 3, 20, urls()) : [{}]
    const shoot = async () => {
      const values = pick(params) as Record<string, string>
      const strange = () => encodeURIComponent(pick(strangeTexts).toWellFormed().slice(0, 300))
      const path = call.path.replace(/:(\w+)/g, (_all, name: string) =>
        random() < 0.2 ? strange() : (values[name] ?? '1'),
      )
      const query =
        random() < 0.3 ? `?${pick([...foreignKeys, 'page', 'limit', 'search', 'before'])}=${strange()}` : ''
      const body = call.method === 'GET' ? undefined : damaged(random, pick(bodies))
      const answer = await admin.request(call.method, `${path}${query}`, body)
      expectSound(answer.status, answer.body, `${path}${query} ${JSON.stringify(body)?.slice(0, 500)}`)
    }
    for (let n = 0; n < atNight(3, 1); n++) await Promise.all(Array.from({ length: atNight(8, 5) }, shoot))
  })

  const polluting = [
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"content":{"__proto__":{"polluted":1}}}',
    '[{"__proto__":{"polluted":1}}]',
  ]
  test.each(spread(polluting, 1))('%s pollutes nothing, wherever it is sent', async (body) => {
    for (const [, call] of shot.filter(([, one]) => one.method !== 'GET')) {
      const answer = await admin.request(call.method, call.path.replace(/:\w+/g, '1'), body)
      expect(answer.status).toBeLessThan(500)
      expectSound(answer.status, answer.body, call.path)
    }
    expect(
      (
        await admin.request(
          'GET',
          '/api/conversations?__proto__[polluted]=1&constructor.prototype.polluted=1',
        )
      ).status,
    ).toBe(200)
    expectSound(200, undefined, 'query')
  })
})

test('no pair that other products are shipped with signs in', async () => {
  const names = [
    'admin',
    'administrador',
    'administrator',
    'root',
    'suporte',
    'balcao',
    'user',
    'demo',
    'test',
  ]
  const emails = ['admin@admin.com', 'admin@whaticket.com', 'admin@ticketz.host', 'admin@balcao.com.br']
  const passwords = ['admin', '123456', 'password', 'senha', '12345678', 'admin123', 'demo', '', 'balcao']
  const pairs = [...names, ...emails].flatMap((username) => [
    { username, password: username },
    ...passwords.map((password) => ({ username, password })),
  ])
  expect(pairs.length).toBeGreaterThan(120)
  const statuses = new Set<number>()
  for (const pair of spread(pairs, 40))
    statuses.add((await t.request('POST', '/api/auth/login', pair)).status)
  expect([...statuses].filter((status) => ![400, 401, 403, 423, 429].includes(status))).toEqual([])
})

describe('the gateway’s form', () => {
  const config = () => ({ baseUrl: t.simulator.url, instanceName: 'loja1' })

  test.each(['429683C4C977415CAAFCCE10F7D57E11', 'BQYHJGJHJ'])(
    'the gateway’s form refuses the published key %s',
    async (apiKey) => {
      const weak = {
        status: 422,
        body: { code: 'gateway.weak_key', message: expect.stringContaining('pública') as string },
      }
      expect(await admin.request('POST', '/api/evolution-config', { ...config(), apiKey })).toMatchObject(
        weak,
      )
      expect(await admin.request('PUT', '/api/evolution-config/1', { ...config(), apiKey })).toMatchObject(
        weak,
      )
    },
  )

  test.each([
    ['http://10.0.0.1:8080', '10.0.0.1:8080'],
    ['http://10.0.0.1', '10.0.0.1:80'],
    ['https://[::1]/caminho', '[::1]:443'],
  ])('a refused address of a gateway is named as it would be declared: %s', async (baseUrl, missingHost) => {
    const body = { baseUrl, apiKey: 'x' }
    const answer = await admin.request('POST', '/api/evolution-config/test', body)
    expect(answer.body).toMatchObject({ success: false, missingHost })
  })

  test.each(['10.0.0.1', '169.254.169.254', '[::ffff:a9fe:a9fe]'])(
    'the gateway’s form tests no address of our own network: %s',
    async (host) => {
      const body = { baseUrl: `http://${host}:5432`, apiKey: 'x' }
      const answer = await admin.request<{ success: boolean; details: string }>(
        'POST',
        '/api/evolution-config/test',
        body,
      )
      expect(answer).toMatchObject({
        status: 200,
        body: { success: false, message: errorTexts['gateway.address_refused'] },
      })
    },
  )

  test('an unreachable saved address is reported by every call that uses it', async () => {
    const { body } = await admin.request<{ id: number }>('GET', '/api/evolution-config')
    const path = `/api/evolution-config/${body.id}`
    const save = (baseUrl: string) =>
      admin.request('PUT', path, { ...config(), baseUrl, apiKey: t.simulator.apiKey })
    try {
      await save('http://127.0.0.1:1')
      expect(await admin.request('POST', '/api/evolution-config/setup-webhook')).toMatchObject({
        status: 502,
        body: { code: 'gateway.unreachable' },
      })
      expect(await admin.get<object>('/api/evolution-config/status')).toMatchObject({ connected: false })
      await save('http://169.254.169.254')
      expect(await admin.request('POST', '/api/evolution-config/setup-webhook')).toMatchObject({
        status: 422,
        body: { code: 'gateway.address_refused' },
      })
    } finally {
      await save(t.simulator.url)
    }
  })
})
