import { beforeEach, expect, it } from 'vitest'
import { benchForEachTest, maria } from '#simulator/test-receiver.ts'

const { control, receiver, call, post, sendText } = benchForEachTest()
beforeEach(() => void control.setVersion('1.8'))

it('a gateway of version 1 wants the message in an object of its own', async () => {
  const flat = await sendText('oi')
  expect(flat.body.response.message).toEqual([['instance requires property "textMessage"']])
  control.sendText('maria', 'Entregam?', 'AC1')
  const { status, body } = await post('message/sendText', {
    number: maria.number,
    options: { delay: 1, quoted: { key: { id: 'AC1' } } },
    textMessage: { text: 'Sim' },
  })
  expect([status, body.message.conversation, body.contextInfo.stanzaId]).toEqual([201, 'Sim', 'AC1'])
})

it('a gateway of version 1 restarts by PUT alone, and 2.x by POST alone', async () => {
  expect((await call('POST', '/instance/restart/loja1')).status).toBe(404)
  expect((await call('PUT', '/instance/restart/loja1')).body.instance.state).toBe('open')
  control.setVersion('2.3.7')
  expect((await call('PUT', '/instance/restart/loja1')).status).toBe(404)
})

it('a gateway of version 1 lists instances in objects of their own', async () => {
  const { body } = await call('GET', '/instance/fetchInstances')
  expect(body).toMatchObject([
    { instance: { instanceName: 'loja1', status: 'open', owner: '5511955554444@s.whatsapp.net' } },
  ])
})

it('a gateway of version 1 takes a flat webhook', async () => {
  const nested = { webhook: { enabled: true, url: receiver.url, events: [] } }
  expect((await post('webhook/set', nested)).status).toBe(400)
  const flat = { enabled: true, url: receiver.url, events: ['MESSAGES_UPSERT'], webhook_base64: true }
  const { status, body } = await post('webhook/set', flat)
  expect([status, body.webhook.webhook.events]).toEqual([201, ['MESSAGES_UPSERT']])
  expect((await call('GET', '/webhook/find/loja1')).body.webhook.instanceName).toBe('loja1')
})
