export interface Answer {
  status: number
  text: string
}

export interface Asked {
  method: string
  body?: unknown
  token?: string | undefined
}

const repeatAfterMs = 120
const giveUpAfterMs = 300_000

/**
 * Asks until it is answered, to the last byte, with anything below 500: the program may be dead at this moment.
 * @throws Error when nobody answers within five minutes
 */
export async function ask(url: string, asked: Asked): Promise<Answer> {
  const deadline = performance.now() + giveUpAfterMs
  for (;;) {
    const answer = await askOnce(url, asked).catch(() => undefined)
    if (answer && answer.status < 500) return answer
    if (performance.now() > deadline) throw new Error(`${asked.method} ${url}: sem resposta em 5 minutos`)
    await new Promise((resolve) => setTimeout(resolve, repeatAfterMs))
  }
}

/** What was answered, read. @throws Error when it was refused */
export async function read<Reply>(url: string, asked: Asked): Promise<Reply> {
  const { status, text } = await ask(url, asked)
  if (status >= 400) throw new Error(`${asked.method} ${url}: ${status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Reply
}

async function askOnce(url: string, { method, body, token }: Asked): Promise<Answer> {
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
