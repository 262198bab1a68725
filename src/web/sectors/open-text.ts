import type { Sector } from '#shared/sectors/sectors.ts'

/**
 * When a sector opens or closes: 'Aberto até 18:00', 'Abre às 08:00 de amanhã', 'Abre em 02/12 às 08:00'.
 * @param nowMs by the server's clock
 */
export function openText(
  { isOpenNow, changesAt }: Pick<Sector, 'isOpenNow' | 'changesAt'>,
  nowMs: number,
): string {
  if (changesAt === null) return isOpenNow ? 'Sempre aberto' : 'Fechado'
  const time = new Date(changesAt).toLocaleTimeString('pt-BR', {
    hour: '2-digit',
    minute: '2-digit',
  })
  const day = (ms: number) => new Date(ms).toLocaleDateString('pt-BR')
  const at = Date.parse(changesAt)
  const isToday = day(at) === day(nowMs)
  if (isOpenNow) return isToday ? `Aberto até ${time}` : 'Aberto'
  if (isToday) return `Abre às ${time}`
  const isTomorrow = day(at) === day(nowMs + 86_400_000)
  return isTomorrow ? `Abre às ${time} de amanhã` : `Abre em ${day(at).slice(0, 5)} às ${time}`
}
