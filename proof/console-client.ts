import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '#shared/conversations.ts'
import type { OracleReport } from '#simulator/control-views.ts'
import { read } from './ask.ts'

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
    const body = { username, password }
    return (await read<{ token: string }>(`${url}/api/auth/login`, { method: 'POST', body })).token
  }
  const tokens = await Promise.all(operators.map(signIn))
  let turn = 0
  const nextToken = () => tokens[turn++ % tokens.length]

  const simulator: Console['simulator'] = (method, path, body) =>
    read(`${url}/simulador/api${path}`, { method, body })
  return {
    simulator,
    async waiting() {
      const all = await read<Conversation[]>(`${url}/api/conversations`, {
        method: 'GET',
        token: nextToken(),
      })
      return all
        .filter((row) => row.waitingFor === 'operator')
        .map((row) => ({ id: row.id, name: row.contact.name }))
    },
    async reply(conversationId, body) {
      const path = `${url}/api/conversations/${conversationId}/messages`
      await read(path, { method: 'POST', body, token: nextToken() })
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
