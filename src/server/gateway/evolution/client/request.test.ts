import { expect, test } from 'vitest'
import type { OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { createEvolutionClient } from './evolution-client.ts'
import { fetchPicture } from './pictures.ts'

const instance = { baseUrl: 'http://g.example', instanceName: 'loja1', apiKey: 'k' }

interface Answer {
  status: number
  body: unknown
}

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

const refusal = (status: number, ...message: string[]): Answer => ({
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
  expect(await saysAway(call, refusal(500, 'Connection Closed'))).toBe(true)
  expect(await saysAway(call, refusal(400, 'Error: Connection Closed'))).toBe(true)
  expect(await saysAway(call, refusal(500, 'Read messages fail', 'Error: Connection Closed'))).toBe(true)
})

test.each(calls)('%s that is refused for another reason, or done, does not', async (_what, call) => {
  expect(await saysAway(call, refusal(400, 'Error: Timed Out'))).toBe(false)
  expect(await saysAway(call, refusal(404, 'The "loja1" instance does not exist'))).toBe(false)
  expect(await saysAway(call, refusal(500, 'Error: connect ECONNREFUSED 10.0.0.7:443'))).toBe(false)
  expect(await saysAway(call, { status: 200, body: { text: 'Connection Closed' } })).toBe(false)
})
