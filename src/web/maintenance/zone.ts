import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type TimeZone, timeZones } from '#shared/settings/schedule.ts'
import { type ZonedDates, zonedDates } from '#shared/text/time/zoned-dates.ts'
import { settingsQueries } from '#web/settings/settings.tsx'

const usualZone: TimeZone = 'America/Sao_Paulo'

/** Dates in the time zone of the settings, in which the days of a cleanup and the times of backups are. */
export function useZonedDates(): { dates: ZonedDates; zoneName: string } {
  const { data } = useQuery(settingsQueries.system())
  const zone = data?.timezone ?? usualZone
  return useMemo(() => ({ dates: zonedDates(zone), zoneName: timeZones[zone] }), [zone])
}

/** 'Backup_dia-mês-ano_hora-minuto': by the clock of the installation. @see specification §7 */
export function backupNameAt(nowMs: number, dates: ZonedDates): string {
  const [year, month, day] = dates.day(nowMs).split('-')
  const [hour, minute] = dates.time(new Date(nowMs).toISOString()).split(':')
  return `Backup_${day}-${month}-${year}_${hour}-${minute}`
}
