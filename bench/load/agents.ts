import { WebSocket } from 'ws'
import { operators, tokenOf } from '../environment/data.ts'

/** Sockets of operators, which record when frames arrive. */
export interface Agents {
  /** Resolves when every agent has received the message with that id. */
  receivedByAll(id: string, withinMs?: number): Promise<void>
  /** Milliseconds from `from` until each agent had the message, unordered. */
  delays(id: string, from: number): number[]
  /** How many sockets are still open. */
  open(): number
  close(): Promise<void>
}

interface Receipts {
  /** When each agent first received it; 0 until then. */
  at: Float64Array
  count: number
}

const operatorOf = (agent: number) => 1 + (agent % operators)

/** Enclose the id in a message's text. */
const opening = Buffer.from('<')
const closing = Buffer.from('>')

/**
 * @param types the types of frames that count; of each id, an agent counts the first
 * @param isOurs connects with an operator's session
 */
export async function connectAgents(
  url: string,
  count: number,
  { types, isOurs }: { types: string[]; isOurs: boolean },
): Promise<Agents> {
  const prefixes = types.map((type) => Buffer.from(`{"type":"${type}"`))
  const receipts = new Map<string, Receipts>()
  const waiting = new Map<string, () => void>()

  const receive = (agent: number, frame: Buffer) => {
    const now = performance.now()
    if (!prefixes.some((prefix) => frame.subarray(0, prefix.length).equals(prefix))) return
    // The message is at the end of the frame, possibly after the conversation's newest one.
    const from = frame.lastIndexOf(opening)
    const to = frame.indexOf(closing, from)
    if (from < 0 || to < 0) return
    const id = frame.toString('latin1', from + 1, to)
    const entry = receipts.get(id) ?? { at: new Float64Array(count), count: 0 }
    receipts.set(id, entry)
    if (entry.at[agent] !== 0) return
    entry.at[agent] = now
    if (++entry.count === count) waiting.get(id)?.()
  }

  const sockets = Array.from({ length: count }, (_, agent) => {
    const protocols = isOurs ? ['bearer', tokenOf(operatorOf(agent))] : []
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, protocols)
    socket.on('message', (frame) => receive(agent, frame as Buffer))
    socket.on('error', () => undefined)
    return socket
  })
  await Promise.all(sockets.map((socket) => opened(socket, isOurs)))
  // As a browser does: the server delays the events of a socket that has not authenticated.
  if (isOurs)
    for (const [agent, socket] of sockets.entries())
      socket.send(JSON.stringify({ type: 'authenticate', data: { userId: operatorOf(agent) } }))

  return {
    receivedByAll: (id, withinMs = 30_000) =>
      new Promise((resolve, reject) => {
        if (receipts.get(id)?.count === count) return resolve()
        const timer = setTimeout(
          () => reject(new Error(`${id}: received by ${receipts.get(id)?.count ?? 0} of ${count}`)),
          withinMs,
        )
        waiting.set(id, () => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve()
        })
      }),
    delays: (id, from) => [...(receipts.get(id)?.at ?? [])].filter((at) => at > 0).map((at) => at - from),
    open: () => sockets.filter((socket) => socket.readyState === socket.OPEN).length,
    async close() {
      await Promise.all(sockets.map(closed))
    },
  }
}

/** The product sends no event before its greeting. */
function opened(socket: WebSocket, isGreeted: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(isGreeted ? 'message' : 'open', () => resolve())
    socket.once('close', (code) => reject(new Error(`an agent could not connect: ${code}`)))
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
