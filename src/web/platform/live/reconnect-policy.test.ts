import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closeCodes } from '#shared/live-events.ts'
import { nextStep } from './reconnect-policy.ts'

const lost = { code: 1006, reason: '' }

test.each([
  [0, 1000, 'reconnecting'],
  [1, 2000, 'reconnecting'],
  [2, 4000, 'reconnecting'],
  [3, 8000, 'reconnecting'],
  [4, 16_000, 'reconnecting'],
  [5, 30_000, 'failed'],
  [6, 30_000, 'failed'],
  [500, 30_000, 'failed'],
])('after %i failed attempts it waits about %i ms and says %s', (failed, delayMs, status) => {
  expect(nextStep(failed, lost, 0.5)).toEqual({
    kind: 'again',
    delayMs,
    status,
    counts: true,
    mayHurry: true,
  })
})

test('the delay lies between half and one and a half of its value', () => {
  fc.assert(
    fc.property(
      fc.nat(60),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (failed, random) => {
        const step = nextStep(failed, lost, random)
        const middle = nextStep(failed, lost, 0.5)
        if (step.kind !== 'again' || middle.kind !== 'again') throw new Error('it gave up')
        expect(step.delayMs).toBeGreaterThanOrEqual(middle.delayMs * 0.5)
        expect(step.delayMs).toBeLessThanOrEqual(middle.delayMs * 1.5)
        expect(step.delayMs).toBeLessThanOrEqual(45_000)
      },
    ),
  )
})

test.each([closeCodes.sessionEnded, closeCodes.otherUser])('code %i asks for a login', (code) => {
  expect(nextStep(0, { code, reason: '' }, 0)).toEqual({ kind: 'session ended' })
})

test.each([
  ['2500', 0, 2500],
  ['2500', 1, 3750],
  ['', 0, 1000],
  ['ocupado', 0, 1000],
  ['-5', 0, 1000],
])('a server that has no time (%j) is left alone for as long as it asks', (reason, random, delayMs) => {
  expect(nextStep(4, { code: closeCodes.notNow, reason }, random)).toEqual({
    kind: 'again',
    delayMs,
    status: 'reconnecting',
    counts: false,
    mayHurry: false,
  })
})

test.each([
  closeCodes.restarting,
  closeCodes.tooSlow,
  closeCodes.tooManyFrames,
  closeCodes.frameTooLarge,
  1000,
  1001,
])('code %i is an ordinary loss', (code) => {
  expect(nextStep(0, { code, reason: '' }, 0.5)).toMatchObject({ kind: 'again', delayMs: 1000 })
})
