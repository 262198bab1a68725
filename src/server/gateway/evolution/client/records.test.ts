import { expect, test } from 'vitest'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import { createEvolutionClient } from './evolution-client.ts'

const instance = { baseUrl: 'http://g.example', instanceName: 'loja1', apiKey: 'k' }
const sentAt = 1_795_204_518

/** What a page of the record says of this row. */
async function read(row: object) {
  const records = [{ key: { id: 'A', remoteJid: '1@lid', fromMe: false }, messageTimestamp: sentAt, ...row }]
  const body = { messages: { total: 1, pages: 1, currentPage: 1, records } }
  const client = createEvolutionClient({
    fetchJson: () => Promise.resolve({ status: 200, body }),
    fetchStream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  })
  const now = new Date(sentAt * 1000)
  const { bodies } = await client.listRecorded(instance, { from: now, to: now, page: 1, readAt: now })
  return bodies[0]
}

test.each<[string, unknown, number | undefined]>([
  ['of release 2', 'cmwpef3ln0028k87dibawu7su', 395],
  ['of another kind', '5541ba8d-312e-4a06-a375-e606f299614c', undefined],
  ['that gives an earlier time', 'c000000010028k87dibawu7su', undefined],
  ['that is none', 17, undefined],
])('a row with an id %s tells when the gateway had the message', async (_kind, id, postedMs) => {
  const [event] = parseWebhook((await read({ id }))?.message).events
  expect(event?.kind === 'message' && event.postedMs).toBe(postedMs)
})

const [jid, lid] = ['5511987654321@s.whatsapp.net', '182736455463728@lid']
const pair = { phone: '5511987654321', lid: '182736455463728' }

test.each<[string, object, object | undefined]>([
  ['both addresses of a client', { remoteJid: lid, remoteJidAlt: jid }, pair],
  ['one address', { remoteJid: lid }, undefined],
  ['an address twice', { remoteJid: jid, remoteJidAlt: jid }, undefined],
  ['two addresses of a message of ours', { remoteJid: lid, remoteJidAlt: jid, fromMe: true }, undefined],
])('a row with %s says whose they are, or nothing', async (_what, key, expected) => {
  expect((await read({ key: { id: 'A', fromMe: false, ...key } }))?.pair).toEqual(expected)
})
