import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'undici'
import type { Random } from '#simulator/random.ts'

const mostCopies = 20
/** How far a near copy is moved; the others are moved anywhere. */
const near = 40

/**
 * Each event one to twenty times, shuffled by the seed: half of the copies near their position, half
 * anywhere.
 */
export function planDeliveries(count: number, random: Random): Uint32Array {
  const planned: { at: number; event: number }[] = []
  for (let event = 0; event < count; event++) {
    const copies = 1 + Math.floor(random() * mostCopies)
    for (let copy = 0; copy < copies; copy++)
      planned.push({
        event,
        at: random() < 0.5 ? event + (random() - 0.5) * near : random() * count,
      })
  }
  planned.sort((a, b) => a.at - b.at)
  return Uint32Array.from(planned, (one) => one.event)
}

export interface Posted {
  posts: number
  /** Deliveries repeated since the answer was not 2xx. */
  repeated: number
}

/** Posts all of them through both instances, some to both at once, and repeats each until it is accepted. */
export async function deliver(
  pools: Pool[],
  { bodies, secret, random, order }: { bodies: string[]; secret: string; random: Random; order: Uint32Array },
  onProgress: (posted: number) => void,
): Promise<Posted> {
  const posted: Posted = { posts: 0, repeated: 0 }
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const post = async (instance: number, body: string) => {
    for (;;) {
      posted.posts++
      const answer = await pools[instance]?.request({
        method: 'POST',
        path: '/api/webhook/evolution',
        headers,
        body,
      })
      await answer?.body.dump()
      if (answer && answer.statusCode < 300) return
      posted.repeated++
      await sleep(100)
    }
  }
  let next = 0
  const workers = Array.from({ length: 32 }, async () => {
    while (next < order.length) {
      const at = next++
      if (at % 50_000 === 0) onProgress(at)
      const body = bodies[order[at] ?? 0] ?? ''
      const dice = random()
      if (dice < 0.05) await Promise.all([post(0, body), post(1, body)])
      else await post(dice < 0.5 ? 0 : 1, body)
    }
  })
  await Promise.all(workers)
  return posted
}
