import { longConversation } from '../environment/data.ts'
import { allAnswered, median, runLoad } from '../load/load.ts'
import { higher, lower, type Sample } from '../rounds.ts'
import { createOperator } from '../load/requests.ts'
import type { CreateScenario } from './scenario.ts'

const connections = 16
const pageSize = 200

/** S2: the end of a conversation, and paging back to the beginning of the longest one. */
export const messages: CreateScenario = (environment, { sliceMs }) => {
  const operator = createOperator()
  const short = environment.answered.find((id) => id !== longConversation) ?? 0

  const run = async (side: 'ours' | 'floor'): Promise<Sample> => {
    const isOurs = side === 'ours'
    const { http } = isOurs ? environment.product : environment.floor
    const headers = () => (isOurs ? operator() : {})
    const pathOf = (conversation: number, limit: number, before?: number) => {
      const more = `limit=${limit}${before === undefined ? '' : `&before=${before}`}`
      return isOurs
        ? `/api/conversations/${conversation}/messages?${more}`
        : `/messages?conversation=${conversation}&${more}`
    }
    const timed = async (path: string, many: number) => {
      const next = () => ({ method: 'GET' as const, path, headers: headers() })
      const result = await runLoad(http, next, { connections: many, ms: sliceMs })
      allAnswered(result, 200)
      return result
    }
    const back = async () => {
      const started = performance.now()
      let before: number | undefined
      for (;;) {
        const path = pathOf(longConversation, pageSize, before)
        const answer = await http.request({ method: 'GET', path, headers: headers() })
        const page = (await answer.body.json()) as { id: number }[]
        if (page.length < pageSize) return performance.now() - started
        before = page[0]?.id
      }
    }
    const full = await timed(pathOf(short, 20), connections)
    return {
      last20: full.latencies.length / full.seconds,
      shortP50: median((await timed(pathOf(short, 20), 1)).latencies),
      longP50: median((await timed(pathOf(longConversation, 20), 1)).latencies),
      last200P50: median((await timed(pathOf(longConversation, 200), 1)).latencies),
      backMs: await back(),
    }
  }

  return {
    name: 'messages',
    title: 'S2 messages',
    figures: [
      higher('last20', 'last 20, 16 connections', '/s', { ratio: 0.4 }),
      lower('shortP50', 'last 20 of a short conversation, p50', 'ms', { ratio: 3 }),
      lower('longP50', `last 20 of the one of ${environment.size.longest}, p50`, 'ms', { ratio: 3 }),
      lower('last200P50', 'last 200, p50', 'ms'),
      lower('backMs', `back to the start of the one of ${environment.size.longest}, 200 at a time`, 'ms', {
        ratio: 1.5,
      }),
    ],
    sides: { floor: () => run('floor'), ours: () => run('ours') },
  }
}
