/**
 * Warns of variables that look like ours and are not, so that a mistyped name is not ignored in silence.
 * @param names of the environment
 * @param known the variables that are read
 * @returns a line each
 */
export function strangeVariables(names: readonly string[], known: readonly string[]): string[] {
  return names
    .filter((name) => name.length >= 6 && !known.includes(name))
    .flatMap((name) => {
      const [nearest] = known
        .map((one) => ({ one, apart: distance(name, one) }))
        .filter(
          ({ one, apart }) => apart <= (/^(MEDIA_|BACKUP_)?S3_/.test(name) ? 4 : one.length < 8 ? 1 : 2),
        )
        .toSorted((a, b) => a.apart - b.apart)
      return nearest ? [`Atenção: a variável ${name} não é lida. Seria ${nearest.one}?`] : []
    })
}

/** How many letters must be changed, added or left out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
