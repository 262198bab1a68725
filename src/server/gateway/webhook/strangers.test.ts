import { type ClientRequest, request } from 'node:http'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { findConfigByName } from '#server/gateway/instances/queries.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

// Strangers come from the loopback addresses 127.0.0.2 and above; each counts on its own.

let secret: string
let key: string

const t = forAllTests(testApp)

beforeAll(async () => {
  const config = await findConfigByName(t.database, 'loja1')
  secret = t.app.secrets.decrypt(config?.webhookSecretEncrypted ?? '')
  key = t.app.secrets.decrypt(config?.apiKeyEncrypted ?? '')
})

const calls: ClientRequest[] = []
afterEach(() => {
  for (const call of calls.splice(0)) call.destroy()
})

interface Posted {
  /** The last number of the sender's address. */
  from: number
  body: string
  /** Announced, and waited for; the length of the body when absent. */
  length?: number
  headers?: Record<string, string>
}

/** @returns the status of the answer and when to come again; status 0 when there was none */
const post = ({ from, body, length = Buffer.byteLength(body), headers }: Posted) =>
  new Promise<{ status: number; again: string | undefined }>((resolve) => {
    const call = request(t.app.url, {
      localAddress: `127.0.0.${from}`,
      path: '/api/webhook/evolution',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
    })
    call.on('response', (answer) => {
      resolve({ status: answer.statusCode ?? 0, again: answer.headers['retry-after'] })
      answer.resume()
    })
    call.on('error', () => resolve({ status: 0, again: undefined }))
    call.write(body)
    calls.push(call)
  })

const large = (n: number) => JSON.stringify({ event: 'x', data: `${n}${'x'.repeat(100_000)}` })
let reported = 0
const ofGateway = (more: object = {}) =>
  JSON.stringify({ event: 'call', instance: 'loja1', data: { id: `C${++reported}` }, apikey: key, ...more })

test('who holds all places with slow bodies loses them, and the key in the body gets in', async () => {
  const slow = (from: number) =>
    Array.from({ length: 6 }, () => post({ from, body: '{"data":', length: 100_000 }))
  const [first] = [...slow(2), ...slow(3)]
  // Never seen before, this gateway waits until a place is free.
  expect(await post({ from: 4, body: ofGateway() })).toMatchObject({ status: 200 })
  expect(await first).toMatchObject({ status: 408 })
  // Once its key was right, it has places of its own.
  let lost = 0
  for (const one of [...slow(5), ...slow(6), ...slow(7)])
    void one.then(({ status }) => (lost += status === 408 ? 1 : 0))
  expect(await post({ from: 4, body: ofGateway({ data: large(0) }) })).toMatchObject({ status: 200 })
  // Those who hold the places of strangers have not lost them meanwhile.
  expect(lost).toBe(0)
}, 40_000)

test('after eight refusals an address is refused unread, but no header or key that is right', async () => {
  for (let n = 0; n < 8; n++) expect((await post({ from: 9, body: large(n) })).status).toBe(401)
  // Of what is announced, nothing is waited for.
  expect(await post({ from: 9, body: '{', length: 100_000 })).toEqual({ status: 429, again: '60' })
  expect((await post({ from: 10, body: large(0) })).status).toBe(401)
  const authorization = `Bearer ${secret}`
  const body = ofGateway({ apikey: undefined, data: large(1) })
  expect((await post({ from: 9, body, headers: { authorization } })).status).toBe(200)
  // Behind the same address as the stranger, a gateway proves itself by the first of its short bodies.
  expect((await post({ from: 9, body: ofGateway() })).status).toBe(200)
  expect((await post({ from: 9, body: ofGateway({ data: large(2) }) })).status).toBe(200)
  expect((await post({ from: 9, body: large(3) })).status).toBe(401)
})
