/** What a changing call takes and changes, as it was reviewed. */
export interface Owned {
  /** The names of its body, which are left as they are. */
  takes: readonly string[]
  /** `table.column`, `+table` for new rows, `-table` for deleted ones. */
  changes: readonly string[]
}

export const words = (...texts: string[]) =>
  texts.flatMap((text) => text.split(' ')).filter((word) => word !== '')

export const own = (takes: string, ...changes: string[]): Owned => ({
  takes: words(takes),
  changes: words(...changes),
})

/** Every act of a person is recorded and told. */
export const act = '+audit_logs +events'
