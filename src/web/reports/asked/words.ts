import type { Days } from '#shared/reports/periods.ts'
import { meanTimeText } from '#shared/text/time/mean-time.ts'
import { periodText } from '#shared/text/time/zoned-dates.ts'

const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** '1.219' */
export const count = (n: number): string => whole.format(n)
/** '4,6' */
export const rating = (n: number | null): string => (n === null ? '--' : oneDigit.format(n))
/** '96,9%' of a whole; '0%' of nothing. */
export const share = (part: number, of: number): string =>
  of === 0 ? '0%' : `${oneDigit.format((100 * part) / of)}%`

/** Of a number that may rise or fall: in words, and whether that is good, bad, or neither. */
export interface Delta {
  text: string
  tone: 'good' | 'bad' | 'neutral'
}

type Wanted = 'more' | 'less' | 'either'
const toneOf = (change: number, wanted: Wanted): Delta['tone'] =>
  change === 0 || wanted === 'either' ? 'neutral' : change > 0 === (wanted === 'more') ? 'good' : 'bad'
const signed = (change: number, text: string) => `${change > 0 ? '+' : change < 0 ? '−' : ''}${text}`

/** '+8,1 %', against how many there were; undefined when there was nothing to compare with. */
export function countDelta(now: number, before: number, wanted: Wanted = 'either'): Delta | undefined {
  if (before === 0) return undefined
  const change = (100 * (now - before)) / before
  return {
    text: signed(change, `${oneDigit.format(Math.abs(change))} %`),
    tone: toneOf(now - before, wanted),
  }
}

/** '−38 s' */
export function timeDelta(now: number | null, before: number | null): Delta | undefined {
  if (now === null || before === null) return undefined
  const change = Math.round(now / 1000) - Math.round(before / 1000)
  return { text: signed(change, meanTimeText(Math.abs(change) * 1000)), tone: toneOf(change, 'less') }
}

/** '+0,1' */
export function ratingDelta(now: number | null, before: number | null): Delta | undefined {
  if (now === null || before === null) return undefined
  const change = Math.round(now * 10) - Math.round(before * 10)
  return { text: signed(change, oneDigit.format(Math.abs(change) / 10)), tone: toneOf(change, 'more') }
}

/** '1 a 30/11/2026', '26/11/2026' */
export const daysText = ({ startDate, endDate }: Days): string => periodText(startDate, endDate) ?? ''

export const weekdays = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'] as const
