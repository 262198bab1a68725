import { WebSocket } from 'ws'
import type { LiveFrame } from '#shared/live-events.ts'
import type { Person } from '../support/two-instances.ts'

/** Milliseconds from one end to the other, by number. */
export type Delays = Map<number, number[]>

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN

export function noteDelay(delays: Delays, number: number, ms: number): void {
  const of = delays.get(number)
  if (of) of.push(ms)
  else delays.set(number, [ms])
}

/** An open console, which notes when it is told of each text. */
export function watchConsole(
  url: string,
  { id, token }: Person,
): Promise<{ toldAt: Map<string, number>; close(): void }> {
  const toldAt = new Map<string, number>()
  const ws = new WebSocket(`${url.replace('http:', 'ws:')}/ws`, ['bearer', token])
  ws.on('message', (data) => {
    const frame = JSON.parse((data as Buffer).toString('utf8')) as LiveFrame
    if (frame.type === 'message_received' && !toldAt.has(frame.data.message.content))
      toldAt.set(frame.data.message.content, Date.now())
  })
  return new Promise((resolve, reject) => {
    ws.on('error', reject)
    ws.on('open', () => {
      ws.send(JSON.stringify({ type: 'authenticate', data: { userId: id } }))
      resolve({ toldAt, close: () => ws.terminate() })
    })
  })
}

/** How long the slowest twentieth waited, over all of these numbers. */
export function slowTwentieth(delays: Delays, numbers: readonly number[]): number {
  return quantile(
    numbers.flatMap((number) => delays.get(number) ?? []),
    0.95,
  )
}
