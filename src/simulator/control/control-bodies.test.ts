import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'

const mebibyte = 1_048_576
const calls: ClientRequest[] = []
afterEach(() => {
  for (const call of calls.splice(0)) call.destroy()
})

/** Announces a body of which only a part comes. @returns the status of the answer and its body */
async function announce(port: number, path: string, length: number, part = '{') {
  const headers = { 'content-type': 'application/json', 'content-length': length }
  const call = request({ hostname: '127.0.0.1', port, method: 'POST', path, headers })
  call.on('error', () => undefined)
  calls.push(call)
  call.write(part)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  const body = Buffer.concat((await answer.toArray()) as Buffer[]).toString('utf8')
  return { status: answer.statusCode, body: JSON.parse(body) as unknown }
}

describe.each([
  ['of this machine alone', false, 136 * mebibyte, 136 * mebibyte, 8],
  ['of a public demonstration', true, 22 * mebibyte, mebibyte, 2],
])('the control API %s', (_name, isPublic, fileBytes, webhookBytes, mostAtOnce) => {
  let simulator: Simulator
  let port = 0
  const app = fastify()
  beforeAll(async () => {
    simulator = await startSimulator({ apiKey: 'k', instanceName: 'loja1', isPublic })
    simulator.control.createPhone({ id: 'maria', name: 'Maria', number: '5511987650100' })
    await app.register(simulator.controlPlugin, { prefix: '/simulador/api' })
    port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  afterAll(async () => {
    await app.close()
    await simulator.close()
  })
  const path = '/simulador/api'

  it('the control API takes no body that is longer than what is sent by it', async () => {
    const tooLarge = {
      status: 413,
      body: { code: 'simulator.too_large', message: 'O arquivo é grande demais' },
    }
    for (const kind of ['messages', 'owner-messages'])
      expect(await announce(port, `${path}/phones/maria/${kind}`, fileBytes + 1)).toEqual(tooLarge)
    expect(await announce(port, `${path}/webhooks`, webhookBytes + 1)).toEqual(tooLarge)
    expect(await announce(port, `${path}/phones`, mebibyte + 1)).toEqual(tooLarge)
  })

  it('the control API parses none that nests too deep, and says what is no JSON', async () => {
    const post = async (body: string) => {
      const headers = { 'content-type': 'application/json' }
      const url = `http://127.0.0.1:${port}${path}/phones/maria/messages`
      const answer = await fetch(url, { method: 'POST', headers, body })
      return [answer.status, await answer.json()]
    }
    const code = 'simulator.invalid'
    const message = 'O conteúdo tem níveis demais'
    expect(await post('['.repeat(300) + ']'.repeat(300))).toEqual([400, { code, message }])
    expect(await post('{')).toEqual([400, { code, message: 'O conteúdo não é JSON' }])
    expect((await post('{"kind":"text","text":"oi"}'))[0]).toBe(201)
  })

  it('the control API reads few large ones at once, and small ones meanwhile', async () => {
    const held = Array.from({ length: mostAtOnce }, () =>
      announce(port, `${path}/phones/maria/messages`, 100_000).catch(() => undefined),
    )
    await expect
      .poll(async () => {
        const late = announce(port, `${path}/phones/maria/messages`, 100_000).catch(() => undefined)
        return (await Promise.race([late, new Promise((resolve) => setTimeout(resolve, 200))])) as unknown
      })
      .toMatchObject({ status: 503, body: { code: 'simulator.busy' } })
    const url = `http://127.0.0.1:${port}${path}/phones/maria/messages`
    const headers = { 'content-type': 'application/json' }
    const small = await fetch(url, { method: 'POST', headers, body: '{"kind":"text","text":"oi"}' })
    expect(small.status).toBe(201)
    for (const call of calls.splice(0)) call.destroy()
    await Promise.all(held)
    const body = JSON.stringify({ kind: 'text', text: 'x'.repeat(60_000), padding: 'x'.repeat(60_000) })
    await expect.poll(async () => (await fetch(url, { method: 'POST', headers, body })).status).not.toBe(503)
  })
})
