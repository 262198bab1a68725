import { weekdays } from './weekdays.ts'

/** The open parts of a day, in minutes since midnight. */
export type Parts = readonly { from: number; to: number }[]

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** '08:00–12:00, 13:00–18:00', or 'fechado' */
export const dayWords = (parts: Parts): string =>
  parts.length === 0 ? 'fechado' : parts.map(({ from, to }) => `${clock(from)}–${clock(to)}`).join(', ')

/**
 * The open days of a week, those together that follow each other and are alike.
 * ['Seg a Sex 08:00–18:00', 'Sáb 08:00–12:00'], or ['Fechado']
 * @param week by day, 0 is Sunday
 */
export function weekWords(week: readonly Parts[]): string[] {
  const spans: { first: string; last: string; words: string }[] = []
  let before = ''
  for (const { day, name } of weekdays) {
    const words = dayWords(week[day] ?? [])
    const short = name.slice(0, 3)
    const span = spans.at(-1)
    if (span && words === before) span.last = short
    else spans.push({ first: short, last: short, words })
    before = words
  }
  const open = spans.filter(({ words }) => words !== dayWords([]))
  if (open.length === 0) return ['Fechado']
  return open.map(({ first, last, words }) => `${first === last ? first : `${first} a ${last}`} ${words}`)
}
