import { expect, it } from 'vitest'
import { benchForEachTest } from '#simulator/test-receiver.ts'

const { control, receiver, sendText, posted } = benchForEachTest({ retryBaseMs: 30_000 })

const texts = () =>
  posted('messages.upsert').map((data) => (data['message'] as { conversation?: string }).conversation)
const states = () => posted('connection.update').map((data) => data['state'])
const send = (text: string) => sendText(text)

it('a restarted gateway loses the webhooks that were not accepted', async () => {
  receiver.answers.push(500, 500, 500)
  control.sendText('maria', 'antes')
  await expect.poll(() => receiver.answers).toEqual([])
  control.restart({ awayMs: 50, connectingMs: 50 })
  control.sendText('maria', 'durante')
  await expect.poll(texts).toEqual(['antes', 'durante'])
  control.retryNow()
  await control.idle()
  expect(texts()).toEqual(['antes', 'durante'])
  expect(states()).toEqual(['connecting', 'open'])
  expect(control.chat('maria')).toHaveLength(2)
})

it('an absent gateway answers no connection', async () => {
  control.sendText('maria', 'oi')
  control.restart({ awayMs: 600, connectingMs: 1500 })
  await expect(send('cedo demais')).rejects.toThrow('fetch failed')
  await expect.poll(async () => (await send('ainda não').catch(() => undefined))?.status).toBe(400)
  await expect.poll(async () => (await send('agora')).status, { timeout: 10_000 }).toBe(201)
  expect(control.chat('maria').map(({ text }) => text)).toEqual(['oi', 'agora'])
})

it('release 2.3.7 reads nothing behind an edit until its webhook is delivered', async () => {
  const { id } = control.sendText('maria', 'um')
  await control.idle()
  receiver.answers.push(503)
  control.edit('maria', id, 'um, corrigido')
  control.sendText('maria', 'dois')
  control.edit('maria', id, 'um, corrigido de novo')
  await control.idle()
  expect(texts()).toEqual(['um'])
  control.retryNow()
  await expect.poll(texts).toEqual(['um', 'dois'])
  await expect.poll(() => posted('messages.edited').length).toBe(3)
})
