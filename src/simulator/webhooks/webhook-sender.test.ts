import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '#simulator/world/clock.ts'
import { benchForEachTest } from '#simulator/test-receiver.ts'

const only = { events: ['MESSAGES_UPSERT'] }
const { control, receiver, post, sendText, posted, restart } = benchForEachTest({}, only)

const upserts = () => posted('messages.upsert')
function texts() {
  return upserts().map((one) => (one['message'] as { conversation: string }).conversation)
}

describe('delivery', () => {
  it('only subscribed events are delivered, in order', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `mensagem ${index}`)
    for (const word of words) control.sendText('maria', word)
    await receiver.until('messages.upsert', 30)
    await control.idle()
    expect(texts()).toEqual(words)
    expect(receiver.got.every((one) => one.event === 'messages.upsert')).toBe(true)
    expect(control.chat('maria').every(({ ack }) => ack === 'delivered')).toBe(true)
    expect(control.state().counters).toMatchObject({ written: 30, accepted: 30, pendingWebhooks: 0 })
  })

  it('a delivery uses the address and the headers of the event', async () => {
    await restart({}, { ...only, byEvents: true, headers: { 'x-balcao': 'segredo' } })
    control.sendText('maria', 'oi')
    const [one] = await receiver.until('messages.upsert')
    expect(one?.path).toBe('/hook/messages-upsert')
    expect(one?.headers['x-balcao']).toBe('segredo')
    expect(one?.body['destination']).toBe(receiver.url)
  })

  it('delivery makes a bearer token of the header jwt_key', async () => {
    await restart({}, { ...only, headers: { jwt_key: 'chave' } })
    control.sendText('maria', 'oi')
    const [one] = await receiver.until('messages.upsert')
    const [head, claims, signature] = (one?.headers.authorization ?? '').replace('Bearer ', '').split('.')
    expect(createHmac('sha256', 'chave').update(`${head}.${claims}`).digest('base64url')).toBe(signature)
    const read = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())
    expect(read).toMatchObject({ app: 'evolution', action: 'webhook', exp: read.iat + 600 })
    expect(one?.headers['jwt_key']).toBeUndefined()
  })

  it('delivery says nothing while the webhook is off', async () => {
    await restart({}, { enabled: false })
    control.sendText('maria', 'oi')
    await control.idle()
    expect(receiver.got).toEqual([])
    expect(control.chat('maria')[0]?.ack).toBe('sent')
  })
})

describe('trouble at the receiver', () => {
  it('the sender of webhooks tries again after a 500 and a broken connection, then ticks', async () => {
    receiver.answers.push(500, 0)
    control.sendText('maria', 'oi')
    await receiver.until('messages.upsert', 3)
    await expect.poll(() => control.chat('maria')[0]?.ack).toBe('delivered')
    expect(texts()).toEqual(['oi', 'oi', 'oi'])
    expect(control.state().counters.retries).toBe(2)
  })

  it('a webhook is retried after 5 s, then after doubled pauses up to 5 minutes', async () => {
    const clock = createManualClock()
    await restart({ clock, retryBaseMs: 5000 }, only)
    receiver.answers.push(...Array.from({ length: 8 }, () => 500))
    control.sendText('maria', 'oi')
    const waits = [5, 10, 20, 40, 80, 160, 300, 300]
    for (const [index, wait] of waits.entries()) {
      await receiver.until('messages.upsert', index + 1)
      await control.idle()
      await clock.advance(wait * 790)
      expect(upserts()).toHaveLength(index + 1)
      await clock.advance(wait * 420)
    }
    await receiver.until('messages.upsert', 9)
  })

  it('webhooks that failed together come again in another order, with their first time', async () => {
    await restart({ retryBaseMs: 500 }, only)
    const written = Array.from({ length: 8 }, (_, n) => String(n))
    receiver.answers.push(...written.map(() => 500))
    for (const text of written) control.sendText('maria', text)
    await receiver.until('messages.upsert', 16)
    const bodies = receiver.got.map(({ body }) => JSON.stringify(body))
    expect(bodies.slice(8).toSorted()).toEqual(bodies.slice(0, 8).toSorted())
    expect(texts().slice(8).toSorted()).toEqual(written)
    expect(texts().slice(8)).not.toEqual(written)
  })

  it('the sender of webhooks gives up after ten attempts', async () => {
    await restart({ retryBaseMs: 0 }, only)
    receiver.answers.push(...Array.from({ length: 20 }, () => 503))
    control.sendText('maria', 'oi')
    await expect.poll(() => control.state().counters.pendingWebhooks).toBe(0)
    expect(upserts()).toHaveLength(10)
    expect(control.log().at(-1)?.result).toContain('desistiu após 10 tentativas')
  })

  it.each([400, 401, 403, 404, 422])(
    'a webhook refused with %i is never repeated, and its event is lost',
    async (status) => {
      receiver.answers.push(status)
      control.sendText('maria', 'oi')
      await receiver.until('messages.upsert')
      await expect.poll(() => control.state().counters.pendingWebhooks).toBe(0)
      expect(upserts()).toHaveLength(1)
      expect(control.chat('maria')[0]?.ack).toBe('sent')
    },
  )

  it('a webhook that is redirected becomes a GET without body', async () => {
    receiver.headers['location'] = '/login'
    receiver.answers.push(302)
    control.sendText('maria', 'oi')
    await expect.poll(() => receiver.got.length).toBe(2)
    await control.idle()
    expect(receiver.got.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/hook'],
      ['GET', '/login'],
    ])
    expect(control.state().counters.pendingWebhooks).toBe(0)
    expect(control.chat('maria')[0]?.ack).toBe('sent')
  })

  it('the sender of webhooks lets later events pass one that waits for its retry', async () => {
    await restart({ retryBaseMs: 60_000 }, only)
    receiver.answers.push(500)
    control.sendText('maria', 'primeira')
    await receiver.until('messages.upsert')
    control.sendText('maria', 'segunda')
    await receiver.until('messages.upsert', 2)
    await control.idle()
    control.retryNow()
    await receiver.until('messages.upsert', 3)
    expect(texts()).toEqual(['primeira', 'segunda', 'primeira'])
  })
})

describe('faults of the way', () => {
  it('the sender of webhooks drops webhooks, and the gateway still knows the message', async () => {
    control.setFaults({ dropWebhook: { on: true, oneIn: 1 } })
    control.sendText('maria', 'perdida', 'AC1')
    await control.idle()
    expect(receiver.got).toEqual([])
    expect(control.state().counters.dropped).toBe(1)
    const { body } = await post('chat/findMessages', { where: { key: { id: 'AC1' } } })
    expect(body.messages.total).toBe(1)
    expect(control.log()).toContainEqual(
      expect.objectContaining({ name: 'Perder webhook', result: 'perdido' }),
    )
  })

  it('the sender of webhooks duplicates the very same body', async () => {
    control.setFaults({ duplicateWebhook: { on: true, oneIn: 1 } })
    control.sendText('maria', 'oi')
    const found = await receiver.until('messages.upsert', 2)
    expect(found[0]?.body).toEqual(found[1]?.body)
    expect(control.state().counters.duplicatesSent).toBe(1)
    expect(control.oracle().written).toHaveLength(1)
  })

  it('a held webhook is sent behind the next, or alone after its time', async () => {
    control.setFaults({ reorderWebhook: { on: true, oneIn: 1, holdMs: 10_000 } })
    control.sendText('maria', 'primeira')
    control.setFaults({ reorderWebhook: { on: false } })
    control.sendText('maria', 'segunda')
    control.sendText('maria', 'terceira')
    await receiver.until('messages.upsert', 3)
    expect(texts()).toEqual(['segunda', 'primeira', 'terceira'])
    control.setFaults({ reorderWebhook: { on: true, holdMs: 5 } })
    control.sendText('maria', 'só')
    await receiver.until('messages.upsert', 4)
  })

  it('the sender of webhooks strikes as often as it says, the same way for the same seed', async () => {
    async function run(seed: number) {
      await restart({ seed }, only)
      control.setFaults({ dropWebhook: { on: true, oneIn: 4 } })
      for (let index = 0; index < 200; index += 1) control.sendText('maria', String(index))
      await control.idle()
      const got = texts()
      return got
    }
    const first = await run(7)
    expect(first.length).toBeGreaterThan(120)
    expect(first.length).toBeLessThan(180)
    expect(await run(7)).toEqual(first)
    expect(await run(8)).not.toEqual(first)
  })

  it('the sender of webhooks delays acknowledgements by as much as it says', async () => {
    await restart({}, { events: ['MESSAGES_UPDATE'] })
    control.setFaults({ delayAcks: { on: true, ms: 60 } })
    const started = performance.now()
    await sendText('a')
    await receiver.until('messages.update')
    expect(performance.now() - started).toBeGreaterThanOrEqual(58)
    await expect.poll(() => control.log().some(({ detail }) => detail.includes('atrasado 0,1 s'))).toBe(true)
  })
})

describe('injected bodies', () => {
  it('the sender of webhooks posts any body as it stands, and wraps an event in the envelope', async () => {
    await control.inject({ body: { event: 'call', data: { odd: true } } })
    await control.inject({ event: 'labels.edit', data: { id: '1' } })
    expect(receiver.got[0]?.body).toEqual({ event: 'call', data: { odd: true } })
    expect(receiver.got[1]?.body).toMatchObject({
      event: 'labels.edit',
      instance: 'loja1',
      data: { id: '1' },
    })
  })
})
