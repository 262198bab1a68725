/** An error as it is passed between threads: what logs it, or judges it, needs no more. */
export interface SerializedError {
  name: string
  message: string
  stack: string | undefined
  /** `code`, `severity`, `constraint` and `query` of errors of the database and of the system. */
  texts: Record<string, string>
  cause: SerializedError | undefined
}

const copied = ['code', 'severity', 'constraint', 'query', 'syscall'] as const

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), stack: undefined, texts: {}, cause: undefined }
  const { name, message, stack, cause } = error
  const values = error as Partial<Record<(typeof copied)[number], unknown>>
  const texts = copied.flatMap((key) =>
    typeof values[key] === 'string' ? [[key, values[key]] as const] : [],
  )
  return {
    name,
    message,
    stack,
    texts: Object.fromEntries(texts),
    cause: cause === undefined ? undefined : serializeError(cause),
  }
}

/** An error that is logged, and taken for an outage of the database or not, as the original. */
export function deserializeError({ name, message, stack, texts, cause }: SerializedError): Error {
  const error = new Error(message, cause && { cause: deserializeError(cause) })
  return Object.assign(error, { name, ...texts, ...(stack !== undefined && { stack }) })
}
