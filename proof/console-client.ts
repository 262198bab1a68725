import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '#shared/conversations.ts'
import type { OracleReport } from '#simulator/control-views.ts'

/** The console and the simulator of a demonstration, as programs outside see them. Every call is repeated until it is answered. */
export interface Console {
  simulator<Reply>(method: string, path: string, body?: unknown): Promise<Reply>
  waiting(): Promise<{ id: number; name: string }[]>
  reply(conversationId: number, body: { content: string; clientMessageId: string }): Promise<void>
  oracle(phones: string[]): Promise<Pick<OracleReport, 'written' | 'received'>>
  pendingWebhooks(): Promise<number>
}

const operators = ['ana', 'bruno', 'carla']

export async function createConsole(url: string, dataDir: string): Promise<Console> {
  const password = readFileSync(join(dataDir, 'demo', 'demo-password'), 'utf8').trim()
  const signIn = async (username: string) => {
    const answer = await again(`${url}/api/auth/login`, 'POST', { username, password })
    if (!answer.ok) throw new Error(`${username} não entrou: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { token: string }).token
  }
  const tokens = await Promise.all(operators.map(signIn))
  let turn = 0
  const headers = () => ({ authorization: `Bearer ${tokens[turn++ % tokens.length]}` })

  const simulator: Console['simulator'] = async (method, path, body) => {
    const answer = await again(`${url}/simulador/api${path}`, method, body)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json().catch(() => undefined)) as never
  }
  return {
    simulator,
    async waiting() {
      const answer = await again(`${url}/api/conversations`, 'GET', undefined, headers())
      const all = (await answer.json()) as Conversation[]
      return all
        .filter((row) => row.waitingFor === 'operator')
        .map((row) => ({ id: row.id, name: row.contact.name }))
    },
    async reply(conversationId, body) {
      const answer = await again(
        `${url}/api/conversations/${conversationId}/messages`,
        'POST',
        body,
        headers(),
      )
      if (!answer.ok) throw new Error(`resposta recusada: ${answer.status} ${await answer.text()}`)
    },
    async oracle(phones) {
      const report = await simulator<OracleReport>('GET', '/oracle')
      const isOurs = (entry: { phone: string }) => phones.includes(entry.phone)
      return { written: report.written.filter(isOurs), received: report.received.filter(isOurs) }
    },
    async pendingWebhooks() {
      const { counters } = await simulator<{ counters: { pendingWebhooks: number } }>('GET', '/state')
      return counters.pendingWebhooks
    },
  }
}

/** Repeats what was not answered, or answered 5xx: the program may be dead at this moment. */
async function again(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await fetch(url, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      })
      if (answer.status < 500 || attempt > 200) return answer
    } catch (error) {
      if (attempt > 200) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}
