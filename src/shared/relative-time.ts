/** 'agora mesmo', 'há N minuto(s)', 'há N hora(s)', 'há N dia(s)'. @see specification §4 Row time */
export function relativeTime(thenMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - thenMs) / 60_000)
  if (minutes < 1) return 'agora mesmo'
  return `há ${elapsed(minutes)}`
}

/** 'N minutos', 'N horas', 'N dias', each with its singular. */
export function elapsed(minutes: number): string {
  if (minutes < 60) return minutes === 1 ? '1 minuto' : `${minutes} minutos`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return hours === 1 ? '1 hora' : `${hours} horas`
  const days = Math.floor(hours / 24)
  return days === 1 ? '1 dia' : `${days} dias`
}
