/** 'agora mesmo', 'há N minuto(s)', 'há N hora(s)', 'há N dia(s)'. @see specification §4 Row time */
export function relativeTime(thenMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - thenMs) / 60_000)
  return minutes < 1 ? 'agora mesmo' : ago(minutes)
}

/** '4 min', '2 h', '3 d' */
export function shortSpan(minutes: number): string {
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}

export function ago(minutes: number): string {
  if (minutes < 60) return minutes === 1 ? 'há 1 minuto' : `há ${minutes} minutos`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return hours === 1 ? 'há 1 hora' : `há ${hours} horas`
  const days = Math.floor(hours / 24)
  return days === 1 ? 'há 1 dia' : `há ${days} dias`
}
