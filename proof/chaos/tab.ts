import { WebSocket } from 'ws'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LiveFrame } from '#shared/live-events.ts'
import { type Position, watchFrames } from '#web/platform/live/frame-watch.ts'
import type { Note, Transcript, PushedMessage } from './check/checker.ts'
import type { Console, Person } from './console.ts'

/**
 * An operator's browser without a screen: connects, resumes, refetches after a gap, and records what it
 * receives.
 */
export interface Tab {
  transcript: Transcript
  /** Resolves when it is connected and has nothing to fetch. */
  settled(): Promise<void>
  close(): void
}

const reconnectAfterMs = 150

const toldMessage = ({ id, conversationId, version, sortAt, createdAt }: Message): PushedMessage => ({
  id,
  conversationId,
  version,
  sortAt,
  createdAt,
})
const toldConversation = ({ id, version }: Conversation) => ({ id, version })

export function openTab(name: string, at: Console, who: Person): Tab {
  const notes: Note[] = []
  let position: Position | undefined
  let isOver = false
  let isOpen = false
  let fetching: Promise<void> | undefined
  let mustFetch = false
  let socket: WebSocket

  /** Fetches everything shown, as the browser does after a gap. */
  const fetchAll = async () => {
    while (mustFetch && !isOver) {
      mustFetch = false
      const conversations = await at.conversations(who)
      const messages: Message[] = []
      for (const { id } of conversations) messages.push(...(await at.messages(who, id)))
      notes.push({
        kind: 'fetched',
        conversations: conversations.map(toldConversation),
        messages: messages.map(toldMessage),
      })
    }
    fetching = undefined
  }
  const fetchSoon = () => {
    mustFetch = true
    // After a failed fetch, the missing data appears as a fault.
    fetching ??= fetchAll().catch(() => void (fetching = undefined))
  }

  const connect = () => {
    if (isOver) return
    const watch = watchFrames(position)
    let isCaughtUp = position === undefined
    socket = new WebSocket(`${at.url.replace('http:', 'ws:')}/ws`, ['bearer', who.token])
    socket.on('open', () => {
      const known = watch.position()
      const data = { userId: who.userId, ...(known && { lastCursor: known.cursor, epoch: known.epoch }) }
      socket.send(JSON.stringify({ type: 'authenticate', data }))
    })
    socket.on('message', (text: Buffer) => {
      const frame = JSON.parse(text.toString('utf8')) as LiveFrame
      const isLost = watch.see(frame) === 'lost'
      position = watch.position()
      isCaughtUp ||= frame.type === 'resumed' || isLost
      if (frame.type === 'hello') isOpen = true
      if (isLost) fetchSoon()
      // Until everything is fetched, updates of a message may come before the message.
      notes.push(noteOf(frame, isCaughtUp && !fetching))
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      isOpen = false
      setTimeout(connect, reconnectAfterMs)
    })
  }
  connect()
  return {
    transcript: { name, notes },
    async settled() {
      while (!isOpen || mustFetch || fetching) await new Promise((resolve) => setTimeout(resolve, 50))
    },
    close() {
      isOver = true
      socket.terminate()
    },
  }
}

function noteOf(frame: LiveFrame, isInTurn: boolean): Note {
  const { data } = frame
  if (!('conversation' in data)) return { kind: 'frame', type: frame.type }
  return {
    kind: 'pushed',
    isInTurn,
    conversation: toldConversation(data.conversation),
    message: 'message' in data ? toldMessage(data.message) : undefined,
  }
}
