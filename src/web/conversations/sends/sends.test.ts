import { expect, test } from 'vitest'
import { composedNow, deliver, judgeFailure, pauseMs, type Send } from './sends.ts'
import { messageRow } from '#web/conversations/cache/test-rows.ts'

const send: Send = {
  userId: 2,
  userName: 'Marina',
  conversationId: 1,
  clientMessageId: 'aaaaaaaa',
  content: 'Oi',
  quoted: null,
  composedAtMs: 1,
}

/** Answers in turn: a number is a failing status, null the confirmation. */
function server(...answers: (number | null)[]) {
  const seen: string[] = []
  const pauses: number[] = []
  const outcome = deliver(
    send,
    async (each) => {
      seen.push(each.clientMessageId)
      const answer = answers.shift()
      if (typeof answer === 'number') throw new Error(String(answer))
      return messageRow({ clientMessageId: each.clientMessageId })
    },
    (error) => Number((error as Error).message),
    async (ms) => void pauses.push(ms),
  )
  return { outcome, seen, pauses }
}

test('a send without an answer is repeated with the same clientMessageId until it is confirmed', async () => {
  const { outcome, seen, pauses } = server(0, 503, 0, 0, 504, 429, 401, null)
  await expect(outcome).resolves.toMatchObject({ clientMessageId: 'aaaaaaaa' })
  expect(seen).toEqual(Array.from({ length: 8 }, () => 'aaaaaaaa'))
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test.each([400, 403, 404, 409, 413, 422, 507])('a refusal with %i is reported at once', async (status) => {
  const { outcome, seen } = server(status)
  await expect(outcome).rejects.toThrow(String(status))
  expect(seen).toHaveLength(1)
})

test('a server that always stumbles over one text does not hold up the others for ever', async () => {
  const { outcome, seen } = server(500, 500, 500, 500, 500, 500)
  await expect(outcome).rejects.toThrow('500')
  expect(seen).toHaveLength(5)
})

test('pauses grow and stay within half a minute', () => {
  expect(judgeFailure(0, 1_000_000)).toBe('again')
  expect(pauseMs(1000)).toBe(30_000)
})

test('two sends in one millisecond keep their order', () => {
  const times = [composedNow(5), composedNow(5), composedNow(4), composedNow(9000)]
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
})
