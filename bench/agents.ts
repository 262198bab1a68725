import { WebSocket } from 'ws'
import { operators, tokenOf } from './data.ts'

/** Operators' sockets, without anything that a browser does with what it hears. */
export interface Agents {
  /** Whoever hears of it at once, by the id that the text carries: resolves when all have it. */
  heardByAll(id: string, withinMs?: number): Promise<void>
  /** Milliseconds from `from` until each agent had it, unordered. */
  delays(id: string, from: number): number[]
  /** Sockets that are open still. */
  open(): number
  close(): Promise<void>
}

interface Heard {
  /** When each agent heard it first; 0: not yet. */
  at: Float64Array
  count: number
}

const operatorOf = (agent: number) => 1 + (agent % operators)

/** The text of what is written carries its id so. */
const opening = Buffer.from('<')
const closing = Buffer.from('>')

/**
 * @param types frames of these types count, each agent's first one of an id
 * @param isOurs with an operator's session
 */
export async function connectAgents(
  url: string,
  count: number,
  { types, isOurs }: { types: string[]; isOurs: boolean },
): Promise<Agents> {
  const prefixes = types.map((type) => Buffer.from(`{"type":"${type}"`))
  const heard = new Map<string, Heard>()
  const waiting = new Map<string, () => void>()

  const hear = (agent: number, frame: Buffer) => {
    const now = performance.now()
    if (!prefixes.some((prefix) => frame.subarray(0, prefix.length).equals(prefix))) return
    // The message stands last in the frame; before it there may be the conversation's newest one.
    const from = frame.lastIndexOf(opening)
    const to = frame.indexOf(closing, from)
    if (from < 0 || to < 0) return
    const id = frame.toString('latin1', from + 1, to)
    const entry = heard.get(id) ?? { at: new Float64Array(count), count: 0 }
    heard.set(id, entry)
    if (entry.at[agent] !== 0) return
    entry.at[agent] = now
    if (++entry.count === count) waiting.get(id)?.()
  }

  const sockets = Array.from({ length: count }, (_, agent) => {
    const protocols = isOurs ? ['bearer', tokenOf(operatorOf(agent))] : []
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, protocols)
    socket.on('message', (frame) => hear(agent, frame as Buffer))
    socket.on('error', () => undefined)
    return socket
  })
  await Promise.all(sockets.map((socket) => opened(socket, isOurs)))
  // As a browser does: whoever does not say who he is waits for his events.
  if (isOurs)
    for (const [agent, socket] of sockets.entries())
      socket.send(JSON.stringify({ type: 'authenticate', data: { userId: operatorOf(agent) } }))

  return {
    heardByAll: (id, withinMs = 30_000) =>
      new Promise((resolve, reject) => {
        if (heard.get(id)?.count === count) return resolve()
        const timer = setTimeout(
          () => reject(new Error(`${id}: só ${heard.get(id)?.count ?? 0} de ${count} receberam`)),
          withinMs,
        )
        waiting.set(id, () => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve()
        })
      }),
    delays: (id, from) => [...(heard.get(id)?.at ?? [])].filter((at) => at > 0).map((at) => at - from),
    open: () => sockets.filter((socket) => socket.readyState === socket.OPEN).length,
    async close() {
      await Promise.all(sockets.map(closed))
    },
  }
}

/** Our server greets; before that it tells nothing. */
function opened(socket: WebSocket, isGreeted: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(isGreeted ? 'message' : 'open', () => resolve())
    socket.once('close', (code) => reject(new Error(`um atendente não entrou: ${code}`)))
  })
}

function closed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) return resolve()
    socket.removeAllListeners('close')
    socket.once('close', () => resolve())
    socket.close()
  })
}
