import { get } from 'node:http'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import type { SimulatorEvent } from '#simulator/control-views.ts'
import { benchForEachTest } from '#simulator/test-receiver.ts'

const { control, simulator, sendText } = benchForEachTest()

async function request(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${simulator.url}/_control${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

describe('the control API over HTTP', () => {
  it('the control API makes phones, writes, edits, reacts, opens and deletes', async () => {
    const made = await request('POST', '/phones', { name: 'Ana', number: '+55 (11) 96666-5555', id: 'ana' })
    expect([made.status, made.body.number]).toEqual([201, '5511966665555'])
    const sent = await request('POST', '/phones/ana/messages', { kind: 'text', text: 'oi', id: 'A1' })
    expect(sent.body).toMatchObject({ id: 'A1', from: 'phone', text: 'oi' })
    await request('PATCH', '/phones/ana/messages/A1', { text: 'olá' })
    await request('POST', '/phones/ana/reactions', { messageId: 'A1', emoji: '😀' })
    await request('POST', '/phones/ana/owner-messages', { kind: 'text', text: 'daqui' })
    expect((await request('POST', '/phones/ana/open')).status).toBe(204)
    expect((await request('POST', '/phones/ana/typing', { state: 'composing' })).status).toBe(204)
    const { body: chat } = await request('GET', '/phones/ana/chat')
    expect(chat).toMatchObject([
      { text: 'olá', edited: true, reactions: [{ emoji: '😀', from: 'phone' }] },
      { text: 'daqui', from: 'company', via: 'owner' },
    ])
    expect((await request('DELETE', '/phones/ana/messages/A1')).body.deleted).toBe(true)
    expect((await request('GET', '/phones')).body).toHaveLength(2)
    expect((await request('GET', '/oracle')).body.changes).toHaveLength(2)
    expect((await request('GET', '/oracle?since=2')).body.written).toHaveLength(1)
  })

  it('the control API votes, pins, calls, writes elsewhere, syncs and changes the release', async () => {
    const poll = { kind: 'poll', id: 'P1', name: 'Hora?', options: ['9h', '14h'] }
    expect((await request('POST', '/phones/maria/owner-messages', poll)).body.rich.kind).toBe('poll')
    const voted = await request('POST', '/phones/maria/votes', { messageId: 'P1', options: ['9h'] })
    expect([voted.status, voted.body.votes.phone]).toEqual([201, ['9h']])
    const pinned = await request('POST', '/phones/maria/pins', { messageId: 'P1', pinned: true })
    expect(pinned.body.pinned).toBe(true)
    const call = await request('POST', '/phones/maria/calls', { outcome: 'missed', id: 'C1' })
    expect([call.status, call.body.outcome]).toEqual([201, 'missed'])
    const group = { where: 'group', text: 'oi' }
    expect((await request('POST', '/phones/maria/elsewhere', group)).status).toBe(204)
    expect((await request('POST', '/phones/maria/history-sync', {})).status).toBe(204)
    expect((await request('POST', '/contact-sync', {})).status).toBe(204)
    expect((await request('PUT', '/version', { version: '2.2' })).body).toEqual({ version: '2.2' })
    expect((await request('GET', '/version')).body).toEqual({ version: '2.2' })
    expect((await request('GET', '/state')).body.version).toBe('2.2')
    expect((await request('PUT', '/version', { version: '9' })).status).toBe(400)
    expect((await request('DELETE', '/phones/maria/messages/P1?by=owner')).body.deleted).toBe(true)
  })

  it('the control API refuses in Portuguese where a person reads it, with a code', async () => {
    expect(await request('GET', '/phones/nada/chat')).toEqual({
      status: 404,
      body: { code: 'simulator.phone_not_found', message: 'Celular não encontrado' },
    })
    const bad = await request('POST', '/phones/maria/messages', { kind: 'text' })
    expect([bad.status, bad.body.code]).toEqual([400, 'simulator.invalid'])
    const own = await sendText('nossa')
    expect((await request('DELETE', `/phones/maria/messages/${own.body.key.id}`)).status).toBe(409)
  })

  it('the control API switches faults one by one, scripts answers and keeps a register', async () => {
    const { body: faults } = await request('PATCH', '/faults', { duplicateWebhook: { on: true } })
    expect(faults.duplicateWebhook).toMatchObject({ on: true, oneIn: 5 })
    await request('POST', '/send-answers', { answers: [{ status: 502 }] })
    expect((await sendText('a')).status).toBe(502)
    const { body: log } = await request('GET', '/log')
    expect(log.map((line: { kind: string; name: string }) => [line.kind, line.name])).toEqual(
      expect.arrayContaining([
        ['falha', 'Duplicar webhook'],
        ['chamada', 'sendText'],
      ]),
    )
    await request('DELETE', '/log')
    expect((await request('GET', '/log')).body).toEqual([])
  })

  it('the control API hands a picture out that cannot run', async () => {
    const base64 = Buffer.from('<svg/>').toString('base64')
    await request('POST', '/phones/maria/messages', {
      kind: 'image',
      base64,
      mimetype: 'image/svg+xml',
      id: 'IMG',
    })
    const answer = await fetch(`${simulator.url}/_control/media/IMG`)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(await answer.text()).toBe('<svg/>')
  })

  it('the control API streams the state first, then every change', async () => {
    const stop = new AbortController()
    const answer = await fetch(`${simulator.url}/_control/events`, { signal: stop.signal })
    const events: SimulatorEvent[] = []
    const read = (async () => {
      let rest = ''
      for await (const chunk of answer.body ?? []) {
        const parts = (rest + Buffer.from(chunk).toString('utf8')).split('\n\n')
        rest = parts.pop() ?? ''
        for (const part of parts) if (part.startsWith('data: ')) events.push(JSON.parse(part.slice(6)))
      }
    })().catch(() => undefined)
    await expect.poll(() => events[0]?.type).toBe('state')
    control.sendText('maria', 'oi', 'A1')
    control.setFaults({ lidOnly: { on: true } })
    await expect
      .poll(() => new Set(events.map(({ type }) => type)))
      .toEqual(new Set(['state', 'message', 'phone', 'log', 'faults', 'counters']))
    stop.abort()
    await read
  })

  it('the control API lets a page in by its own host and scheme, and none of another origin', async () => {
    const { url } = simulator
    const { hostname, port } = new URL(url)
    const statusOf = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        get({ hostname, port, path: '/_control/phones', headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
      })
    expect(await statusOf({})).toBe(200)
    expect(await statusOf({ origin: url })).toBe(200)
    // A proxy may have taken the encryption off.
    expect(await statusOf({ origin: url.replace('http:', 'https:') })).toBe(200)
    expect(await statusOf({ origin: url, 'x-forwarded-proto': 'https' })).toBe(403)
    expect(await statusOf({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200)
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    // Older browsers.
    for (const origin of ['https://mal.example', url.replace('http:', 'ftp:'), `${url}0`, 'null', 'http://'])
      expect([origin, await statusOf({ origin })]).toEqual([origin, 403])
    expect(await statusOf({ host: `mal.example:${port}`, origin: `http://mal.example:${port}` })).toBe(403)
  })

  it('the control API is for this machine alone, whatever the Host header says', async () => {
    const app = fastify()
    await app.register(simulator.controlPlugin, { prefix: '/simulador/api' })
    const statusOf = async (remoteAddress: string, host: string) =>
      (await app.inject({ url: '/simulador/api/phones', remoteAddress, headers: { host } })).statusCode
    expect(await statusOf('203.0.113.9', '203.0.113.1:3000')).toBe(403)
    expect(await statusOf('203.0.113.9', 'localhost:3000')).toBe(403)
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(await statusOf(remoteAddress, 'localhost:3000')).toBe(200)
    expect(await statusOf('::ffff:192.168.0.7', 'localhost:3000')).toBe(403)
    const headers = { host: 'localhost:3000' }
    // By a proxy on this machine.
    const forwarded = { ...headers, 'x-forwarded-for': '203.0.113.9' }
    expect(
      (await app.inject({ url: '/simulador/api/phones', remoteAddress: '127.0.0.1', headers: forwarded }))
        .statusCode,
    ).toBe(403)
    for (const [method, path] of [
      ['POST', '/phones'],
      ['POST', '/webhooks'],
      ['PATCH', '/faults'],
      ['DELETE', '/log'],
      ['GET', '/media/IMG'],
      ['GET', '/events'],
    ] as const) {
      const url = `/simulador/api${path}`
      const answer = await app.inject({ method, url, remoteAddress: '203.0.113.9', headers, payload: {} })
      expect([path, answer.statusCode]).toEqual([path, 403])
    }
    await app.close()
  })

  it('the control API can be mounted under another prefix', async () => {
    const app = fastify()
    await app.register(simulator.controlPlugin, { prefix: '/simulador/api' })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    expect((await fetch(`${url}/simulador/api/phones`)).status).toBe(200)
    const answer = await fetch(`${url}/simulador/api/events`)
    await app.close()
    expect(await answer.text()).toContain('"type":"state"')
  })
})
