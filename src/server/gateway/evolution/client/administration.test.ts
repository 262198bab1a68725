import { expect, test } from 'vitest'
import type { OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { createEvolutionClient } from './evolution-client.ts'

interface GatewayOf {
  /** As `GET /` gives it; undefined: it does not say. */
  release: string | undefined
  /** Release 2.2 refuses events that it does not know. */
  known?: (event: string) => boolean
}

/** Sets our webhook at a gateway. @returns the lists of events that it was asked for, one after the other */
async function eventsAskedOf({ release, known = () => true }: GatewayOf): Promise<string[][]> {
  const asked: string[][] = []
  const http: OutgoingHttp = {
    fetchJson({ url, body }) {
      if (new URL(url).pathname === '/') return Promise.resolve({ status: 200, body: { version: release } })
      const { webhook } = body as { webhook: { events: string[] } }
      asked.push(webhook.events)
      return Promise.resolve({ status: webhook.events.every(known) ? 201 : 400, body: undefined })
    },
    fetchStream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  }
  const instance = { baseUrl: 'http://g.example', instanceName: 'loja1', apiKey: 'k' }
  await createEvolutionClient(http).setWebhook(instance, { url: 'http://c.example/x', secret: 's' })
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
