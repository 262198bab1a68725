/** What of an error is told between threads, and by whoever logs or judges it. */
export interface ThrownData {
  name: string
  message: string
  stack: string | undefined
  /** `code`, `severity`, `constraint` and `query` of errors of the database and of the system. */
  texts: Record<string, string>
  cause: ThrownData | undefined
}

const told = ['code', 'severity', 'constraint', 'query', 'syscall'] as const

export function toThrownData(error: unknown): ThrownData {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), stack: undefined, texts: {}, cause: undefined }
  const { name, message, stack, cause } = error
  const values = error as Partial<Record<(typeof told)[number], unknown>>
  const texts = told.flatMap((key) => (typeof values[key] === 'string' ? [[key, values[key]] as const] : []))
  return {
    name,
    message,
    stack,
    texts: Object.fromEntries(texts),
    cause: cause === undefined ? undefined : toThrownData(cause),
  }
}

/** An error that is logged, and taken for an outage of the database or not, as the one that was told. */
export function fromThrownData({ name, message, stack, texts, cause }: ThrownData): Error {
  const error = new Error(message, cause && { cause: fromThrownData(cause) })
  return Object.assign(error, { name, ...texts, ...(stack !== undefined && { stack }) })
}
