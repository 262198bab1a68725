/**
 * How long a conversation took, as the archive shows it: 'N min', from an hour on 'Xh Ymin'.
 * @param startedAt, completedAt as stored; null when unknown
 * @see specification §2 Archived detail
 */
export function handlingTime(
  startedAt: string | null | undefined,
  completedAt: string | null | undefined,
): string {
  try {
    if (!startedAt || !completedAt) return 'N/A'
    const [start, end] = [new Date(startedAt).getTime(), new Date(completedAt).getTime()]
    if (Number.isNaN(start) || Number.isNaN(end)) return 'Data inválida'
    if (end < start) return 'Duração inválida'
    return hoursAndMinutes(Math.floor((end - start) / 60_000))
  } catch {
    // No value that JSON can carry leads here. It is specified for a failure of the calculation itself,
    // such as of a Date that something in the page has replaced: so the browser test makes it.
    return 'Erro no cálculo'
  }
}

/** '12 min', '1h 5min' */
function hoursAndMinutes(minutes: number): string {
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)}h ${minutes % 60}min`
}
