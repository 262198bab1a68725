import type { Schedule } from './schedule.ts'
import type { SilentHours } from './silent-hours.ts'
import { isOpen, nextChange } from './working-hours.ts'

/** That it is quiet. */
export interface Silence {
  /** When it ends; null: not within the next week and a half. */
  until: Date | null
  /** Whether a mention is announced all the same. */
  mentions: boolean
}

/** Longer silences have no end: they are those of a week without a loud minute. */
const horizonMs = 10 * 86_400_000

/**
 * Whether silent hours are on at an instant: start inclusive, end exclusive, by the clock of the
 * installation. Everything that sounds, or shows something over other programs, asks this first.
 * @param schedule the hours and the time zone of the installation
 * @returns undefined when it is not quiet
 */
export function silenceAt(silent: SilentHours, schedule: Schedule, at: Date): Silence | undefined {
  const isQuiet = (when: Date) => quietSpans.some((span) => isOpen(span, when) !== span.isInverted)
  const quietSpans = spansOf(silent, schedule)
  if (!isQuiet(at)) return undefined
  let until = at
  while (until.getTime() - at.getTime() < horizonMs) {
    const from = until
    // The next instant at which any of them begins or ends.
    const changes = quietSpans.flatMap((span) => nextChange(span, from, horizonMs) ?? [])
    if (changes.length === 0) break
    until = new Date(Math.min(...changes.map(Number)))
    if (!isQuiet(until)) return { until, mentions: silent.mentions }
  }
  return { until: null, mentions: silent.mentions }
}

/** Hours at which it is quiet; inverted: outside of which. */
type Span = Schedule & { isInverted: boolean }

function spansOf({ mode, start, end, days, daysOff }: SilentHours, schedule: Schedule): Span[] {
  if (mode === 'off') return []
  if (mode === 'closed') return [{ ...schedule, isInverted: true }]
  const daily = (hours: { start: string; end: string; days: number[] }): Span[] =>
    hours.days.length === 0
      ? []
      : [
          {
            workingHours: hours,
            lunchBreak: { ...schedule.lunchBreak, enabled: false },
            timezone: schedule.timezone,
            scheduleExceptions: [],
            isInverted: false,
          },
        ]
  // Apart: a day off does not end the night that begins on it.
  return [...daily({ start, end, days }), ...daily({ start: '00:00', end: '00:00', days: daysOff })]
}
