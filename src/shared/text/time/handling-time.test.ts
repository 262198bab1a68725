import { expect, test } from 'vitest'
import { handlingTime } from './handling-time.ts'

const at = (time: string) => `2026-10-22T${time}Z`

test.each([
  [at('14:07:10'), at('14:21:59'), '14 min'],
  [at('14:07:10'), at('14:07:12'), '0 min'],
  [at('14:00:00'), at('15:00:00'), '1h 0min'],
  [at('14:00:00'), at('15:12:00'), '1h 12min'],
  [null, at('14:00:00'), 'N/A'],
  [at('14:00:00'), undefined, 'N/A'],
  ['ontem', at('14:00:00'), 'Data inválida'],
  [at('14:00:00'), at('13:59:59'), 'Duração inválida'],
])('from %s to %s: %s', (from, to, text) => {
  expect(handlingTime(from, to)).toBe(text)
})

test('an error while the handling time is computed is reported', () => {
  const broken = {
    [Symbol.toPrimitive]() {
      throw new Error('no date')
    },
  }
  expect(handlingTime(broken as unknown as string, at('14:00:00'))).toBe('Erro no cálculo')
})
