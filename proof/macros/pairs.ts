import { setTimeout as sleep } from 'node:timers/promises'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import type { Random } from '#simulator/random.ts'
import type { Client, Stage } from '../schedules/stage.ts'
import type { Macros } from './left.ts'

export interface Pair {
  conversationId: number
  macroId: number
  answers: { status: number; message: string }[]
}

const conversationsAtOnce = 6

/**
 * Two people open the same macro in the same conversation and run it at once, while a program is killed, both
 * are, or the gateway is away. What is not answered is called again, as a browser does.
 */
export async function runInPairs(
  stage: Stage & { macros: Macros },
  clients: readonly Client[],
  { round, random }: { round: number; random: Random },
): Promise<Pair[]> {
  const pairs: Pair[] = []
  let isOver = false
  const striking = strike(stage, round, random, () => isOver)
  await sideBySide(clients, conversationsAtOnce, async ({ conversationId, operator }) => {
    const { open, ending } = stage.macros
    const macroId = conversationId % 2 === 0 ? open : ending
    const path = `/api/conversations/${conversationId}/macros/${macroId}`
    const people = [operator, stage.admin]
    const seen = await Promise.all(people.map((who) => stage.call(who, 'GET', `${path}/preview`)))
    const answers = await Promise.all(
      people.map(async (who, n) => {
        const { version, holderId, lastEntryId } = (seen[n]?.body ?? {}) as Record<string, unknown>
        const run = { runId: `dupla-${conversationId}-${n}`, version, holderId, lastEntryId }
        const { status, body } = await stage.call(who, 'POST', `${path}/run`, run)
        return { status, message: (body as { message?: string }).message ?? '' }
      }),
    )
    pairs.push({ conversationId, macroId, answers })
  })
  isOver = true
  await striking
  return pairs
}

async function strike(stage: Stage, round: number, random: Random, isOver: () => boolean): Promise<void> {
  const [a, b] = stage.programs
  for (let n = round; !isOver(); n++) {
    await sleep(1500 + random() * 3000)
    switch (n % 3) {
      case 0:
        await a.killAndRestart()
        break
      case 1:
        await Promise.all([a.kill(), b.kill()])
        await Promise.all([a.restart(), b.restart()])
        break
      default:
        stage.gateway.cut()
        await sleep(2000)
        stage.gateway.mend()
    }
  }
}
