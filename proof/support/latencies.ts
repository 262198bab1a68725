/** A quantile; 0 of nothing. */
export function quantile(values: readonly number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * rank))] ?? 0
}

/** `p50 8, p99 40, max 61 ms (n = 500)` */
export function spread(values: readonly number[]): string {
  const at = (rank: number) => Math.round(quantile(values, rank))
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms (n = ${values.length})`
}
