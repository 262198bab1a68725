import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { OutgoingCall, OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { createOutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { createEvolutionClient } from './evolution-client.ts'
import { keepsGivenIds, newMessageId } from './release.ts'

test.each([
  ['1.8.2', false],
  ['2.2.3', false],
  ['2.3.7', false],
  ['2.3.10', false],
  ['2.4.0-rc1', true],
  ['2.4.0', true],
  ['2.10.0', true],
  ['3.0.0', true],
  // What cannot be read may be an older one.
  ['', false],
  ['latest', false],
  ['2.4', false],
])('release %j keeps the ids that sends are given: %j', (release, isKept) => {
  expect(keepsGivenIds(release)).toBe(isKept)
})

test('ids of messages are of the form that computers give them, and never the same', () => {
  const ids = Array.from({ length: 1000 }, newMessageId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^3EB0[0-9A-F]{18}$/)
})

test('a send has the id that it is given in its body, and none otherwise', async () => {
  const bodies: unknown[] = []
  const fetchJson: OutgoingHttp['fetchJson'] = ({ body }: OutgoingCall) => {
    bodies.push(body)
    return Promise.resolve({ status: 201, body: {} })
  }
  const client = createEvolutionClient({
    fetchJson,
    fetchStream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  })
  const instance = { baseUrl: 'http://g.example', instanceName: 'loja1', apiKey: 'k' }
  const text = { to: '5511', text: 'oi', quoted: undefined }
  await client.sendText(instance, { ...text, waId: '3EB0A' })
  await client.sendText(instance, text)
  expect(bodies).toEqual([
    { number: '5511', text: 'oi', messageId: '3EB0A' },
    { number: '5511', text: 'oi' },
  ])
})

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** What answers at an address. */
async function clientOf(answer: RequestListener) {
  server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const client = createEvolutionClient(createOutgoingHttp(['127.0.0.1']))
  return { client, instance: { baseUrl: `http://127.0.0.1:${port}`, instanceName: 'loja1', apiKey: 'k' } }
}

const json = (status: number, body: unknown) => [status, 'application/json', JSON.stringify(body)] as const
const notFound = [404, 'text/plain', '404 page not found'] as const
const unlicensed = json(503, { error: 'service not activated', code: 'LICENSE_REQUIRED' })

/** Evolution Go, whose licence blocks all calls but a few of its own. */
const evolutionGo =
  (isLicensed: boolean): RequestListener =>
  ({ url }, response) => {
    const unknown = url === '/' || isLicensed ? notFound : unlicensed
    const [status, type, body] = url === '/server/ok' ? json(200, { status: 'ok' }) : unknown
    response.writeHead(status, { 'content-type': type }).end(body)
  }

test.each([true, false])('Evolution Go is told apart from a gateway, licensed: %j', async (isLicensed) => {
  const { client, instance } = await clientOf(evolutionGo(isLicensed))
  await expect(client.fetchInstances(instance)).rejects.toMatchObject({ code: 'gateway.other_api' })
  expect(await client.reach(instance)).toEqual({ kind: 'other_api' })
})

test('neither a gateway without a licence nor a site that answers all is Evolution Go', async () => {
  const gateway = await clientOf(({ url }, response) => {
    const [status, type, body] = url === '/' ? json(200, { version: '2.4.0' }) : unlicensed
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await expect(gateway.client.fetchInstances(gateway.instance)).rejects.toMatchObject({
    code: 'gateway.license',
  })
  expect(await gateway.client.reach(gateway.instance)).toEqual({ kind: 'license' })
  server?.close()
  const site = await clientOf(({ url }, response) =>
    response.writeHead(url?.startsWith('/instance') ? 404 : 200).end('<html>Bem-vindo</html>'),
  )
  await expect(site.client.fetchInstances(site.instance)).rejects.toMatchObject({
    code: 'gateway.unreachable',
  })
  expect(await site.client.reach(site.instance)).toEqual({ kind: 'something_else', status: 404 })
})
