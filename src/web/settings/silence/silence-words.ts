import type { Silence } from '#shared/settings/silence.ts'

const dayMs = 86_400_000

/** 'Horário silencioso até 08:00', from a day on 'até segunda-feira às 08:00', or without an end. */
export function silenceWords({ until }: Silence, timeZone: string, nowMs: number): string {
  if (until === null) return 'Horário silencioso'
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('pt-BR', { timeZone, ...options }).format(until)
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (until.getTime() - nowMs < dayMs) return `Horário silencioso até ${time}`
  const isFar = until.getTime() - nowMs >= 6 * dayMs
  const day = format(isFar ? { day: '2-digit', month: '2-digit' } : { weekday: 'long' })
  return `Horário silencioso até ${day} às ${time}`
}
