/** 'abre às 08:00', 'abre amanhã 08:00', 'abre seg., 23/11 08:00' */
export function opensWords(opensAt: string, nowMs: number, timeZone: string): string {
  const at = new Date(opensAt)
  const clock = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const time = at.toLocaleTimeString('pt-BR', clock)
  const dayOf = (date: Date) => Date.parse(date.toLocaleDateString('sv-SE', { timeZone }))
  const daysAhead = (dayOf(at) - dayOf(new Date(nowMs))) / 86_400_000
  if (daysAhead === 0) return `abre às ${time}`
  if (daysAhead === 1) return `abre amanhã ${time}`
  const day = at.toLocaleDateString('pt-BR', { timeZone, weekday: 'short', day: '2-digit', month: '2-digit' })
  return `abre ${day} ${time}`
}
