/** What went wrong, and the first case of it. */
export interface Found {
  what: string
  example: string
}

/** One line for what went wrong in the same way, with the first of it. */
export function grouped(found: readonly Found[]): string[] {
  return [...Map.groupBy(found, ({ what }) => what)].map(
    ([what, all]) => `${what}, ${all.length} ×, such as ${all[0]?.example}`,
  )
}
