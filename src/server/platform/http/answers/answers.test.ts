import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint, type Schema } from '#shared/endpoint.ts'
import { serializerOf } from './built-answer.ts'
import { neutralCell } from './csv-answer.ts'
import { checkStatus } from './success-status.ts'

const call = endpoint({
  method: 'GET',
  path: '/api/notes',
  summary: 'Notes',
  needs: [],
  audit: { not: 'of a test' },
  reply: z.array(z.object({ id: z.number(), text: z.nullable(z.string()) })) as unknown as Schema,
})

test('a built answer of the contract goes out byte by byte', () => {
  const answer = [{ id: 1, text: null }]
  expect(serializerOf(call)(answer)).toBe(JSON.stringify(answer))
})

test.each([
  ['a wrong type', [{ id: '1', text: null }], "is not the contract's"],
  ['a missing field', [{ id: 1 }], "is not the contract's"],
  ['a field too many', [{ id: 1, text: 'a', passwordHash: 'x' }], 'fields that the contract does not have'],
])('%s is found under the tests', (_, answer, message) => {
  expect(() => serializerOf(call)(answer)).toThrow(
    `GET /api/notes: the answer ${message.startsWith('is') ? '' : 'has '}${message}`,
  )
})

test('answers are not compared in production', () => {
  const answer = [{ id: '1' }]
  expect(serializerOf(call, false)(answer)).toBe(JSON.stringify(answer))
})

test.each(['=1+1', ' =1+1', '+5511+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '-1-1', '+a'])(
  'a spreadsheet does not compute %j',
  (text) => expect(neutralCell(text)).toBe(`'${text}`),
)

test.each(['', 'Rita', '5511987654321', '+5511987654321', '-12', '-12,5', 'a=b', '1+1', '(11) 98765-4321'])(
  '%j stays as it is',
  (text) => expect(neutralCell(text)).toBe(text),
)

const base = { method: 'GET', path: '/api/notes', summary: 'Notes', rows: {}, ids: {} } as const
const given = (statusCode: number) => ({ statusCode }) as FastifyReply

test.each([
  ['JSON', call, 200, 204],
  ['JSON of what was made', { ...call, status: 201 } as const, 201, 200],
  ['a file', { ...base, sendsFile: true } as const, 200, 204],
  ['nothing', base, 204, 200],
])('a call that answers %s has the status that is described, or is found under the tests', (...facts) => {
  const [, described, status, another] = facts
  for (const allowed of [status, 304, 404, 500]) checkStatus(described, given(allowed))
  expect(() => checkStatus(described, given(another))).toThrow(
    `GET /api/notes: answered with ${another}, described with ${status}`,
  )
})

test('a file may be answered in parts, which nothing else may', () => {
  checkStatus({ ...base, sendsFile: true }, given(206))
  expect(() => checkStatus(call, given(206))).toThrow('answered with 206')
})
