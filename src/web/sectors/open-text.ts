import type { Sector } from '#shared/sectors/sectors.ts'
import { clockTime, dayKey, shortDate } from '#web/platform/dates.ts'

/**
 * When a sector opens or closes: 'Aberto até 18:00', 'Abre às 08:00 de amanhã', 'Abre em 02/12 às 08:00'.
 * @param nowMs by the server's clock
 */
export function openText(
  { isOpenNow, changesAt }: Pick<Sector, 'isOpenNow' | 'changesAt'>,
  nowMs: number,
): string {
  if (changesAt === null) return isOpenNow ? 'Sempre aberto' : 'Fechado'
  const time = clockTime(changesAt)
  const isToday = dayKey(changesAt) === dayKey(nowMs)
  if (isOpenNow) return isToday ? `Aberto até ${time}` : 'Aberto'
  if (isToday) return `Abre às ${time}`
  const isTomorrow = dayKey(changesAt) === dayKey(nowMs + 86_400_000)
  return isTomorrow ? `Abre às ${time} de amanhã` : `Abre em ${shortDate(changesAt).slice(0, 5)} às ${time}`
}
