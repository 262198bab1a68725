import type { PauseNow } from '#shared/users/users.ts'
import { useNow } from '#web/platform/live/server-clock.ts'

/** How a pause stands to its limit. 'near': four fifths of it are over. */
export type PauseTone = 'fine' | 'near' | 'over'

export interface PauseClock {
  /** '48:12', from an hour on '1:12:40'. */
  text: string
  /** How many whole minutes it has lasted. */
  minutes: number
  tone: PauseTone
  /** The minutes above its limit; 0 within it. */
  over: number
}

/** The time of a pause, which counts the seconds. */
export function usePauseClock(pause: Pick<PauseNow, 'since' | 'limitMinutes'>): PauseClock {
  return pauseClockAt(pause, useNow(1000))
}

export function pauseClockAt(
  { since, limitMinutes }: Pick<PauseNow, 'since' | 'limitMinutes'>,
  nowMs: number,
): PauseClock {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(since)) / 1000))
  const limit = limitMinutes === null ? Infinity : limitMinutes * 60
  return {
    text: clockText(seconds),
    minutes: Math.floor(seconds / 60),
    tone: seconds > limit ? 'over' : seconds >= limit * 0.8 ? 'near' : 'fine',
    over: seconds > limit ? Math.floor((seconds - limit) / 60) : 0,
  }
}

/** Whether a pause has lasted longer than it should. */
export const isPauseOver = (pause: Pick<PauseNow, 'since' | 'limitMinutes'>, nowMs: number): boolean =>
  pauseClockAt(pause, nowMs).tone === 'over'

/** '08:26', from an hour on '1:12:40'. */
function clockText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(seconds % 60)}`
}
