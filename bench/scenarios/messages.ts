import { longConversation } from '../data.ts'
import { allAnswered, median, shoot } from '../load.ts'
import type { Sample } from '../rounds.ts'
import { createOperator } from '../shots.ts'
import type { MakeScenario } from './plan.ts'

const connections = 16
const pageSize = 200

/** S2: the end of a conversation, and the way back to the beginning of the longest one. */
export const messages: MakeScenario = (stage, { sliceMs }) => {
  const operator = createOperator()
  const short = stage.answered.find((id) => id !== longConversation) ?? 0

  const run = async (side: 'nosso' | 'piso'): Promise<Sample> => {
    const isOurs = side === 'nosso'
    const { http } = isOurs ? stage.product : stage.floor
    const headers = () => (isOurs ? operator() : {})
    const pathOf = (conversation: number, limit: number, before?: number) => {
      const more = `limit=${limit}${before === undefined ? '' : `&before=${before}`}`
      return isOurs
        ? `/api/conversations/${conversation}/messages?${more}`
        : `/messages?conversation=${conversation}&${more}`
    }
    const timed = async (path: string, many: number) => {
      const next = () => ({ method: 'GET' as const, path, headers: headers() })
      const shooting = await shoot(http, next, { connections: many, ms: sliceMs })
      allAnswered(shooting, 200)
      return shooting
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
    title: 'S2 mensagens',
    figures: [
      {
        key: 'last20',
        title: 'últimas 20, 16 conexões',
        unit: 'por s',
        better: 'higher',
        aim: { ratio: 0.4 },
      },
      { key: 'shortP50', title: 'últimas 20 de uma conversa curta, p50', unit: 'ms', better: 'lower' },
      { key: 'longP50', title: `últimas 20 da de ${stage.size.longest}, p50`, unit: 'ms', better: 'lower' },
      { key: 'last200P50', title: 'últimas 200, p50', unit: 'ms', better: 'lower' },
      {
        key: 'backMs',
        title: `até o começo da de ${stage.size.longest}, de 200 em 200`,
        unit: 'ms',
        better: 'lower',
      },
    ],
    sides: { piso: () => run('piso'), nosso: () => run('nosso') },
  }
}
