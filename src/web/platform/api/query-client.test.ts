// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
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
