import { WebSocket } from 'ws'
import type { LiveFrame } from '#shared/live-events.ts'

/** A socket that records the order of sent messages. */
export interface Witness {
  /** The ids of messages by conversation, in the order of their first frame. */
  readonly order: Map<number, number[]>
  /** Frames that would make a browser refetch everything. */
  readonly troubles: string[]
  close(): void
}

export async function startWitness(url: string, token: string): Promise<Witness> {
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/ws`, ['bearer', token])
  const order = new Map<number, number[]>()
  const troubles: string[] = []
  let last = 0
  let isOver = false
  socket.on('message', (data) => {
    const frame = JSON.parse((data as Buffer).toString('utf8')) as LiveFrame & { n?: number }
    if (frame.type === 'resync') troubles.push('resync')
    if (frame.n !== undefined) {
      if (last !== 0 && frame.n !== last + 1) troubles.push(`gap from ${last} to ${frame.n}`)
      last = frame.n
    }
    if (frame.type !== 'new_message') return
    const { conversationId, message } = frame.data
    if (message.senderType !== 'user' || message.messageType === 'event') return
    const known = order.get(conversationId) ?? []
    if (!known.includes(message.id)) order.set(conversationId, [...known, message.id])
  })
  socket.on('close', (code) => {
    if (!isOver) troubles.push(`socket closed: ${code}`)
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  return {
    order,
    troubles,
    close() {
      isOver = true
      socket.close()
    },
  }
}
