import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Bench, maria, startBench } from '#simulator/test-receiver.ts'

let bench: Bench

beforeEach(async () => {
  bench = await startBench({ retryBaseMs: 30_000 })
})
afterEach(() => bench.close())

const texts = () =>
  bench.receiver.got
    .filter(({ event }) => event === 'messages.upsert')
    .map(({ body }) => (body.data['message'] as { conversation?: string }).conversation)
const states = () =>
  bench.receiver.got
    .filter(({ event }) => event === 'connection.update')
    .map(({ body }) => body.data['state'])
const send = (text: string) => bench.call('POST', '/message/sendText/loja1', { number: maria.number, text })

it('a restarted gateway loses the webhooks that were not accepted', async () => {
  const { control } = bench.simulator
  bench.receiver.answers.push(500, 500, 500)
  control.sendText('maria', 'antes')
  await expect.poll(() => bench.receiver.answers).toEqual([])
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
  const { control } = bench.simulator
  control.sendText('maria', 'oi')
  control.restart({ awayMs: 600, connectingMs: 1500 })
  await expect(send('cedo demais')).rejects.toThrow('fetch failed')
  await expect.poll(async () => (await send('ainda não').catch(() => undefined))?.status).toBe(400)
  await expect.poll(async () => (await send('agora')).status, { timeout: 10_000 }).toBe(201)
  expect(control.chat('maria').map(({ text }) => text)).toEqual(['oi', 'agora'])
})

it('release 2.3.7 reads nothing behind an edit until its webhook is delivered', async () => {
  const { control } = bench.simulator
  const { id } = control.sendText('maria', 'um')
  await control.idle()
  bench.receiver.answers.push(503)
  control.edit('maria', id, 'um, corrigido')
  control.sendText('maria', 'dois')
  control.edit('maria', id, 'um, corrigido de novo')
  await control.idle()
  expect(texts()).toEqual(['um'])
  control.retryNow()
  await expect.poll(texts).toEqual(['um', 'dois'])
  await expect
    .poll(() => bench.receiver.got.filter(({ event }) => event === 'messages.edited').length)
    .toBe(3)
})
