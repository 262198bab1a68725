import { afterEach, beforeEach, expect, it } from 'vitest'
import { maria, startBench } from '#simulator/test-receiver.ts'
import type { Bench } from '#simulator/test-receiver.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
  bench.simulator.control.setVersion('1.8')
})
afterEach(() => bench.close())

it('a gateway of version 1 wants the message in an object of its own', async () => {
  const flat = await bench.call('POST', '/message/sendText/loja1', { number: maria.number, text: 'oi' })
  expect(flat.body.response.message).toEqual([['instance requires property "textMessage"']])
  bench.simulator.control.sendText('maria', 'Entregam?', 'AC1')
  const { status, body } = await bench.call('POST', '/message/sendText/loja1', {
    number: maria.number,
    options: { delay: 1, quoted: { key: { id: 'AC1' } } },
    textMessage: { text: 'Sim' },
  })
  expect([status, body.message.conversation, body.contextInfo.stanzaId]).toEqual([201, 'Sim', 'AC1'])
})

it('a gateway of version 1 restarts by PUT alone, and 2.x by POST alone', async () => {
  expect((await bench.call('POST', '/instance/restart/loja1')).status).toBe(404)
  expect((await bench.call('PUT', '/instance/restart/loja1')).body.instance.state).toBe('open')
  bench.simulator.control.setVersion('2.3.7')
  expect((await bench.call('PUT', '/instance/restart/loja1')).status).toBe(404)
})

it('a gateway of version 1 lists instances in objects of their own', async () => {
  const { body } = await bench.call('GET', '/instance/fetchInstances')
  expect(body).toMatchObject([
    { instance: { instanceName: 'loja1', status: 'open', owner: '5511955554444@s.whatsapp.net' } },
  ])
})

it('a gateway of version 1 takes a flat webhook', async () => {
  const nested = { webhook: { enabled: true, url: bench.receiver.url, events: [] } }
  expect((await bench.call('POST', '/webhook/set/loja1', nested)).status).toBe(400)
  const flat = { enabled: true, url: bench.receiver.url, events: ['MESSAGES_UPSERT'], webhook_base64: true }
  const { status, body } = await bench.call('POST', '/webhook/set/loja1', flat)
  expect([status, body.webhook.webhook.events]).toEqual([201, ['MESSAGES_UPSERT']])
  expect((await bench.call('GET', '/webhook/find/loja1')).body.webhook.instanceName).toBe('loja1')
})
