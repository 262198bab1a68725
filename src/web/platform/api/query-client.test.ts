// @vitest-environment happy-dom
import { notifyManager, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from './api-error.ts'
import { createQueryClient } from './query-client.ts'

/** A query that is shown, with its answers to be given by hand. */
function shownQuery() {
  const client = createQueryClient()
  const answers: ((answer: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['settings'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    refetchInterval: false,
  })
  const stop = observer.subscribe(() => undefined)
  return { client, answers, stop, shown: () => observer.getCurrentResult().data }
}

test('what changes while something is fetched for the first time is fetched again', async () => {
  const { client, answers, stop, shown } = shownQuery()
  await expect.poll(() => answers.length).toBe(1)
  void client.invalidateQueries({ queryKey: ['settings'] })
  answers[0]?.('before')
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('after')
  await expect.poll(shown).toBe('after')
  expect(answers).toHaveLength(2)
  stop()
})

test('a fetch that nothing overtakes is the only one', async () => {
  const { client, answers, stop, shown } = shownQuery()
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.('first')
  await expect.poll(shown).toBe('first')
  expect(answers).toHaveLength(1)
  void client.invalidateQueries({ queryKey: ['settings'] })
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('second')
  await expect.poll(shown).toBe('second')
  expect(answers).toHaveLength(2)
  stop()
})

/** @returns how often a query is fetched that always fails with `error` */
async function fetchesUntilGivenUp(error: Error): Promise<number> {
  vi.useFakeTimers()
  try {
    let fetches = 0
    const observer = new QueryObserver(createQueryClient(), {
      queryKey: ['contact'],
      queryFn: () => {
        fetches++
        return Promise.reject(error)
      },
      refetchInterval: false,
    })
    const stop = observer.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(observer.getCurrentResult().error).toBe(error)
    stop()
    return fetches
  } finally {
    vi.useRealTimers()
  }
}

test.each([400, 401, 403, 404, 409, 429])('what is refused with %i is fetched only once', async (status) => {
  expect(await fetchesUntilGivenUp(new ApiError(status, '', ''))).toBe(1)
})

test('what fails without an answer, or by a fault of the server, is retried twice', async () => {
  expect(await fetchesUntilGivenUp(new NetworkError('away'))).toBe(3)
  expect(await fetchesUntilGivenUp(new ApiError(500, '', ''))).toBe(3)
  expect(await fetchesUntilGivenUp(new ApiError(502, '', ''))).toBe(3)
})

test('the error of a first fetch stays while it is tried again, and goes with the answer', async () => {
  vi.useFakeTimers()
  try {
    let isAway = true
    const client = createQueryClient()
    const observer = new QueryObserver(client, {
      queryKey: ['stats'],
      queryFn: async () => {
        await new Promise((done) => setTimeout(done, 100))
        if (isAway) throw new ApiError(400, 'Bad Request', '')
        return 'stats'
      },
      refetchInterval: 3000,
    })
    const shown: string[] = []
    // As a component is told.
    const look = notifyManager.batchCalls(() => {
      const { status } = observer.getCurrentResult()
      if (shown.at(-1) !== status) shown.push(status)
    })
    const stop = observer.subscribe(look)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(shown).toEqual(['pending', 'error'])
    isAway = false
    await vi.advanceTimersByTimeAsync(4000)
    expect(shown).toEqual(['pending', 'error', 'success'])
    stop()
  } finally {
    vi.useRealTimers()
  }
})

test('what is opened anew after an error loads as for the first time', async () => {
  const client = createQueryClient()
  const options = {
    queryKey: ['stats'],
    queryFn: () => Promise.reject(new ApiError(400, 'Bad Request', '')),
    refetchInterval: false as const,
  }
  const first = new QueryObserver(client, options)
  const stop = first.subscribe(() => undefined)
  await expect.poll(() => first.getCurrentResult().status).toBe('error')
  stop()
  const second = new QueryObserver(client, options)
  const statuses: string[] = []
  const stopSecond = second.subscribe(({ status }) => statuses.push(status))
  await expect.poll(() => statuses).toContain('error')
  expect(statuses[0]).toBe('pending')
  stopSecond()
})
