export interface Answer {
  status: number
  text: string
}

export interface RequestParts {
  method: string
  body?: unknown
  token?: string | undefined
}

const repeatAfterMs = 120
const giveUpAfterMs = 300_000

/**
 * Repeats a call until there is a complete answer below 500, since the program may be down.
 * @throws Error without such an answer within five minutes
 */
export async function call(url: string, request: RequestParts): Promise<Answer> {
  const deadline = performance.now() + giveUpAfterMs
  for (;;) {
    const answer = await callOnce(url, request).catch(() => undefined)
    if (answer && answer.status < 500) return answer
    if (performance.now() > deadline)
      throw new Error(
        `${request.method} ${url}: no answer within 5 minutes; the last: ${answer?.status} ${answer?.text}`,
      )
    await new Promise((resolve) => setTimeout(resolve, repeatAfterMs))
  }
}

/** Parses the JSON of an answer. @throws Error for a status of 400 or more */
export async function read<Reply>(url: string, request: RequestParts): Promise<Reply> {
  const { status, text } = await call(url, request)
  if (status >= 400) throw new Error(`${request.method} ${url}: ${status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Reply
}

export async function callOnce(url: string, { method, body, token }: RequestParts): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
  return { status: answer.status, text: await answer.text() }
}
