import type { Client, Stage } from '../schedules/stage.ts'
import { leftIn, type Left, type Macros, wholeOf } from './left.ts'

export interface Killed {
  place: string
  conversationId: number
  macroId: number
  /** What was left when the program had died, beside what is on the phone; and what should be. */
  after: Partial<Left> | undefined
  wanted: Partial<Left>
  /** Of the call that was repeated, twice. */
  statuses: number[]
}

/**
 * Kills the program before each step of a run, after the last one, and when it is committed and not answered;
 * then the same call is made again, and once more.
 */
export async function killEach(
  stage: Stage & { macros: Macros },
  clients: readonly Client[],
): Promise<Killed[]> {
  const { programs, macros } = stage
  const [program, other] = programs
  const places = [
    ...Array.from({ length: macros.steps + 1 }, (_, n) => `macro.step=kill@${n + 1}`),
    'macro.committed=kill',
  ]
  // Only this one answers, so that it is the one that dies.
  await other.kill()
  const killed: Killed[] = []
  for (const [n, place] of places.entries()) {
    const client = clients[n]
    if (!client) throw new Error('there are more places than clients')
    const { conversationId, operator } = client
    const macroId = macros.ending
    const path = `/api/conversations/${conversationId}/macros/${macroId}`
    const { body } = await stage.call(operator, 'GET', `${path}/preview`)
    const { version, holderId, lastEntryId } = body as Record<string, unknown>
    const run = { runId: `morta-${n}-${conversationId}`, version, holderId, lastEntryId }
    await program.kill()
    await program.restart({ FAILPOINTS: place })
    await fetch(`${program.url}${path}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(run),
    }).catch(() => undefined)
    if (!(await program.gone(20_000))) throw new Error(`${place}: the program lives`)
    const after = withoutPhone((await leftIn(stage)).get(conversationId))
    const isCommitted = place.startsWith('macro.committed')
    await program.restart()
    const statuses: number[] = []
    for (let again = 0; again < 2; again++)
      statuses.push((await stage.call(operator, 'POST', `${path}/run`, run)).status)
    const wanted = withoutPhone(wholeOf(macros, macroId, isCommitted ? 1 : 0)) ?? {}
    killed.push({ place, conversationId, macroId, after, wanted, statuses })
  }
  await other.restart()
  return killed
}

function withoutPhone(left: Left | undefined): Partial<Left> | undefined {
  if (!left) return undefined
  const { onPhone: _phone, ...rest } = left
  return rest
}
