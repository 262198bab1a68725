import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { anythingOnClients, clientName, clientPhone, told } from '#shared/contacts/client-phone.ts'
import { liveEvents } from '#shared/live-events.ts'
import { allCalls } from '#server/testing/calls.ts'
import { hidingOf, maskFor, type MaskOwn } from './hidden-phones.ts'

const own: MaskOwn = (id, text) => text.replaceAll(String(id).repeat(8), '…')
const hidden = (schema: z.ZodMiniType, value: unknown) => hidingOf(schema)?.(value, own) ?? value

test('a number is masked wherever the schema of an answer has one', () => {
  const card = z.object({ id: z.int(), name: clientName, phone: z.nullable(clientPhone) })
  const schema = z.object({
    list: z.array(card),
    pair: z.tuple([card, z.string()]),
    either: z.union([z.literal(''), z.object({ kind: z.literal('a'), card: z.optional(card) })]),
    byKey: z.record(z.string(), anythingOnClients),
  })
  const one = { id: 1, name: '11987347777', phone: '5511987347777' }
  const masked = { id: 1, name: '(11) •••• -7777', phone: '(11) •••• -7777' }
  const nobody = { id: 2, name: 'Rita', phone: null }
  const value = {
    list: [one, nobody],
    pair: [one, '11987347777'],
    either: { kind: 'a', card: one },
    byKey: { a: ['11987347777', 11987347777], b: null },
  }
  expect(hidden(schema, value)).toEqual({
    list: [masked, nobody],
    pair: [masked, '11987347777'],
    either: { kind: 'a', card: masked },
    byKey: { a: ['(11) •••• -7777', 11987347777], b: null },
  })
  expect(value.list[0]).toBe(one)
  expect(hidden(schema, { ...value, either: '' })).toMatchObject({ either: '' })
})

test('what was told is masked by the numbers of the conversation around it', () => {
  const schema = z.array(z.object({ conversationId: z.int(), card: z.object({ number: told }) }))
  expect(
    hidden(schema, [
      { conversationId: 7, card: { number: '77777777' } },
      { conversationId: 8, card: { number: '77777777' } },
    ]),
  ).toEqual([
    { conversationId: 7, card: { number: '…' } },
    { conversationId: 8, card: { number: '77777777' } },
  ])
})

test('a row is the same object for somebody who sees numbers', () => {
  const schema = z.object({ phone: clientPhone })
  const row = { phone: '5511987347777' }
  expect(maskFor({ hidesPhones: false }, schema)(row)).toBe(row)
  expect(maskFor({ hidesPhones: true }, schema)(row)).toEqual({ phone: '(11) •••• -7777' })
})

test('of every answer and event of the product it is known where numbers may stand', async () => {
  for (const { reply } of await allCalls()) if (reply) expect(() => hidingOf(reply)).not.toThrow()
  for (const { data } of Object.values(liveEvents)) expect(() => hidingOf(data)).not.toThrow()
  expect(hidingOf(z.object({ id: z.int() }))).toBeUndefined()
  expect(() => hidingOf(z.set(z.string()))).toThrow('nobody has said where the parts')
})
