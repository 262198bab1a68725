import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Schedule } from '#shared/settings/schedule.ts'
import type { Silence } from '#shared/settings/silence.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { useMe } from '#web/users/users.tsx'

const useSilenceAt = partInPlace(async () => (await import('#shared/settings/silence.ts')).silenceAt)
const useWords = partInPlace(async () => (await import('./silence-words.ts')).silenceWords)

/**
 * Whether it is quiet for the person at an instant, in milliseconds of the server's time. Their own silent
 * hours win over those of the team.
 * @returns undefined when it is not quiet; null: not known yet, so nothing may sound
 */
export function useSilence(): (atMs: number) => Silence | null | undefined {
  const own = useMe().silentHours
  const { data: settings } = useQuery(settingsQueries.system())
  const silent = own ?? settings?.silentHours
  const isOff = silent?.mode === 'off'
  const silenceAt = useSilenceAt(silent !== undefined && !isOff)
  return useCallback(
    (atMs) => {
      if (isOff) return undefined
      if (!silent || !silenceAt || !settings?.timezone) return null
      // Everybody is answered the hours.
      return silenceAt(silent, settings as Schedule, new Date(atMs))
    },
    [isOff, silent, silenceAt, settings],
  )
}

/** 'Horário silencioso até 08:00' while it is quiet for the person. */
export function useSilenceWords(): string | undefined {
  const { data: settings } = useQuery(settingsQueries.system())
  const nowMs = useNow(60_000)
  const silence = useSilence()(nowMs)
  const words = useWords(Boolean(silence))
  return silence && settings?.timezone && words ? words(silence, settings.timezone, nowMs) : undefined
}
