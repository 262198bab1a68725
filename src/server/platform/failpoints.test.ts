import { afterEach, expect, test } from 'vitest'
import { armFailpoints, failpoint, FailpointError } from './failpoints.ts'

let disarm = () => undefined as void
afterEach(() => disarm())

test('a place that nobody armed lets everybody pass at once', () => {
  expect(failpoint('inbox.storing')).toBeUndefined()
})

test('throw strikes once, at the chosen hit', async () => {
  disarm = armFailpoints('inbox.storing=throw@2')
  await failpoint('inbox.storing')
  await expect(failpoint('inbox.storing')).rejects.toThrow(FailpointError)
  await failpoint('inbox.storing')
})

test('block holds whoever comes until it is disarmed, and nobody elsewhere', async () => {
  disarm = armFailpoints('outbox.claimed=block')
  let isThrough = false
  const held = failpoint('outbox.claimed')?.then(() => (isThrough = true))
  await failpoint('outbox.answered')
  expect(isThrough).toBe(false)
  disarm()
  await held
  expect(isThrough).toBe(true)
})

test('what it cannot read is refused by name', () => {
  expect(() => armFailpoints('inbox.storing=explode')).toThrow('inbox.storing=explode')
  expect(() => armFailpoints('nowhere=kill')).toThrow('nowhere=kill')
})
