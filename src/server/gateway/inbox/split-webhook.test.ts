import { expect, test } from 'vitest'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import { splitWebhook } from './split-webhook.ts'

const arrived = (event: string, data: unknown) => {
  const payload = { event, instance: 'loja1', data, isLatest: true }
  const { dedupeKey, lane, eventsByItem } = parseWebhook(payload)
  return { instanceId: 1, instanceName: 'loja1', event, dedupeKey, lane, payload, eventsByItem }
}
const message = (phone: string, n: number) => ({
  key: { remoteJid: `${phone}@s.whatsapp.net`, fromMe: false, id: `${phone}-${n}` },
  message: { conversation: `mensagem ${n}` },
  messageTimestamp: 1_750_000_000 + n,
})

test('the history of a phone is split by chat, and a long chat into parts with keys of their own', () => {
  const data = Array.from({ length: 260 }, (_, n) =>
    message(n % 2 === 0 ? '5511900000001' : '5511900000002', n),
  )
  const parts = splitWebhook(arrived('messages.set', data))
  expect(parts).toHaveLength(6)
  expect(new Set(parts.map((part) => part.dedupeKey)).size).toBe(6)
  expect(new Set(parts.map((part) => part.lane)).size).toBe(2)
  const kept = parts.flatMap((part) => (part.payload as { data: { key: { id: string } }[] }).data)
  expect(kept.map((one) => one.key.id).toSorted()).toEqual(data.map((one) => one.key.id).toSorted())
  for (const part of parts) expect(part.payload).toMatchObject({ event: 'messages.set', isLatest: true })
  expect(splitWebhook(arrived('messages.set', data)).map((part) => part.dedupeKey)).toEqual(
    parts.map((part) => part.dedupeKey),
  )
})

test('a list of several chats is cut, in whatever event, and what means nothing stays together', () => {
  const [one, other] = [message('5511900000001', 1), message('5511900000002', 2)]
  const parts = splitWebhook(
    arrived('messages.upsert', [one, {}, other, 'nothing', message('5511900000001', 3)]),
  )
  expect(parts.map((part) => (part.payload as { data: unknown[] }).data)).toEqual([
    [one, message('5511900000001', 3)],
    [{}, 'nothing'],
    [other],
  ])
})

test.each<[string, unknown]>([
  ['messages.upsert', message('5511900000001', 1)],
  ['messages.upsert', [message('5511900000001', 1), message('5511900000001', 2)]],
  ['messages.set', [message('5511900000001', 1)]],
  ['messages.set', 'nothing of the kind'],
  ['contacts.upsert', [{}, {}, {}]],
])('a body of %s stays one', (event, data) => {
  const { eventsByItem, ...row } = arrived(event, data)
  expect(splitWebhook({ ...row, eventsByItem })).toEqual([row])
})
