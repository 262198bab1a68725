import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { judgeSend } from './answers.ts'
import { createEvolutionClient } from './evolution-client.ts'

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
  [
    401,
    { status: 401, error: 'Unauthorized', response: { message: 'Unauthorized' } },
    'refused gateway_refused_key',
  ],
  [403, undefined, 'refused gateway_refused_key'],
  [413, '<html>Request Entity Too Large</html>', 'refused too_large'],
  // The shape of a refusal with another status, or a similar shape.
  [500, notThere, 'unknown'],
  [400, message({ exists: true }), 'unknown'],
  [400, message({ exists: 'false' }), 'unknown'],
  [400, { message: [{ exists: false }] }, 'unknown'],
  [400, message('Error: Timed Out'), 'unknown'],
  [400, message(['instance requires property "text"']), 'unknown'],
  [400, { data: null, isBoom: true, output: { statusCode: 428 } }, 'unknown'],
  [400, undefined, 'unknown'],
  [404, message('The "x" instance does not exist'), 'unknown'],
  [408, undefined, 'unknown'],
  [409, undefined, 'unknown'],
  [422, undefined, 'unknown'],
  [429, undefined, 'unknown'],
  [500, message('Connection Closed: 503'), 'unknown'],
  [500, message('Error: Timed Out; Connection Closed'), 'unknown'],
  [502, { response: { message: 'Connection Closed' } }, 'unknown'],
  // WhatsApp's socket is closed: thrown before the message leaves.
  [400, message('Error: Connection Closed'), 'not_sent'],
  [500, { status: 500, response: { message: 'Connection Closed' } }, 'not_sent'],
  [400, message("TypeError: Cannot read properties of undefined (reading 'sendMessage')"), 'not_sent'],
  // Of a file, the upload fails before the send.
  [500, message('Error: Connection Closed'), 'not_sent'],
  [500, message("TypeError: Cannot read properties of undefined (reading 'waUploadToServer')"), 'not_sent'],
  [500, message('Error: Timed Out'), 'unknown'],
  [500, message('Error: connect ECONNREFUSED 10.0.0.7:443'), 'unknown'],
  [500, undefined, 'unknown'],
  [502, '<html>Bad Gateway</html>', 'unknown'],
  [503, { error: 'service not activated', code: 'LICENSE_REQUIRED' }, 'unknown'],
  [504, '', 'unknown'],
  [301, undefined, 'unknown'],
  [302, undefined, 'unknown'],
  [307, undefined, 'unknown'],
  [418, sent, 'unknown'],
  [500, sent, 'unknown'],
  [599, null, 'unknown'],
])('a send answered with %i and %j is judged %s', (status, body, verdict) => {
  const result = judgeSend(status, body)
  expect(result.kind === 'refused' ? `refused ${result.reason}` : result.kind).toBe(verdict)
  if (result.kind === 'sent') expect(result.waId).toBe('3EB0')
  else expect(result.detail.length).toBeLessThanOrEqual(300)
})

test('an answer that nobody foresaw is never taken for sent or refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), fc.jsonValue(), (status, body) => {
      fc.pre(![401, 403, 413].includes(status))
      const result = judgeSend(status, body)
      expect(result.kind).toBe('unknown')
      if (result.kind === 'unknown') expect(result.detail.length).toBeLessThanOrEqual(300)
    }),
  )
})

describe('what an error proves about a send', () => {
  const failing = (error: unknown) => {
    const http: OutgoingHttp = {
      fetchJson: () => Promise.reject(error as Error),
      fetchStream: () => Promise.reject(new Error('not asked')),
      close: () => Promise.resolve(),
    }
    const instance = { baseUrl: 'http://g.example', instanceName: 'loja 1', apiKey: 'k' }
    return createEvolutionClient(http).sendText(instance, { to: '5511', text: 'oi', quoted: undefined })
  }
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
  const http: OutgoingHttp = {
    fetchJson: (call) => {
      calls.push(call)
      return Promise.resolve({ status: 201, body: sent })
    },
    fetchStream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  }
  const client = createEvolutionClient(http)
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
