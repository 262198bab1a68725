import { expect, test } from 'vitest'
import { silenceWords } from './silence-words.ts'

const now = Date.parse('2026-03-02T23:00:00-03:00')
const words = (until: string | null, timeZone = 'America/Sao_Paulo') =>
  silenceWords({ until: until === null ? null : new Date(until), mentions: false }, timeZone, now)

test('the end of silent hours is told by its time, and by its day where that is not the next', () => {
  expect(words('2026-03-03T08:00:00-03:00')).toBe('Horário silencioso até 08:00')
  expect(words('2026-03-03T22:59:00-03:00')).toBe('Horário silencioso até 22:59')
  expect(words('2026-03-03T23:00:00-03:00')).toBe('Horário silencioso até terça-feira às 23:00')
  expect(words('2026-03-09T07:00:00-03:00')).toBe('Horário silencioso até 09/03 às 07:00')
  expect(words(null)).toBe('Horário silencioso')
})

test('the end of silent hours is told by the clock of the installation', () => {
  expect(words('2026-03-03T08:00:00-03:00', 'America/Manaus')).toBe('Horário silencioso até 07:00')
})
