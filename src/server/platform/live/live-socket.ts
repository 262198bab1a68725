import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { clientFrame, closeCodes, type LiveEvent } from '#shared/live-events.ts'
import type { Who } from '#server/platform/http/access.ts'
import { frameFor, type ShownEvent } from './live-delivery.ts'

export type AuthenticateFrame = { lastCursor?: string | undefined; epoch?: string | undefined }

const maxBufferedBytes = 1_048_576
const maxMissedPings = 2
const framesPerTenSeconds = 200
const refusedLimit = 50
/** Two bytes, and four of the mask: what each ping or pong of a browser costs beside its content. */
const controlFrameBytes = 6

/** What a browser says, to whoever keeps its socket. */
export interface LiveSocketListener {
  onAuthenticate(frame: AuthenticateFrame): void
  /** It says that it is somebody else. */
  onOtherUser(claimed: unknown): void
  onActive(): void
  onStats(): void
  /** Which chat is open in its tab. */
  onViewing(conversationId: number | null): void
  onTyping(conversationId: number, isTyping: boolean): void
  /** It has caught up: from now on it is told what happens. */
  onReleased(): void
  /** A frame that no browser of ours sends. */
  onRefused(): void
  onClose(): void
}

const nothing: ReadonlySet<string> = new Set()

/** One browser's socket: numbers its frames, bounds what it buffers, and closes with the code that tells why. */
export class LiveSocket {
  readonly id: string
  who: Who
  readonly #ws: WebSocket
  readonly #duplex: Socket
  readonly #epoch: string
  #n = 0
  #isGreeted = false
  /** What is told while it catches up; undefined: it is told at once. */
  #held: { events: ShownEvent[]; cursor: string }[] | undefined
  #missedPings = 0
  #frames = 0
  #refused = 0
  #windowStart = performance.now()
  #listener: LiveSocketListener | undefined
  /** Where the last whole message ended, and the control frames after it. */
  #readUpTo: number
  #wasUnfinished = false
  /** Told by the replay; the reader of the log may come to it later. */
  #known = nothing

  constructor(options: { ws: WebSocket; duplex: Duplex; who: Who; epoch: string; id: string }) {
    this.id = options.id
    this.who = options.who
    this.#ws = options.ws
    this.#duplex = options.duplex as Socket
    this.#epoch = options.epoch
    this.#readUpTo = this.#duplex.bytesRead
    this.#ws.on('message', (data, isBinary) => this.#hear(data as Buffer, isBinary))
    this.#ws.on('ping', (data) => this.#noteControlFrame(data))
    this.#ws.on('pong', (data) => {
      this.#missedPings = 0
      this.#noteControlFrame(data)
    })
    // ws closes the socket itself after a protocol error; without a listener the process would end.
    this.#ws.on('error', () => undefined)
    this.#ws.once('close', () => this.#listener?.onClose())
  }

  listen(listener: LiveSocketListener): void {
    this.#listener = listener
  }

  /** The first frame; whatever was sent before it is in what its cursor stands for. */
  greet(hello: LiveEvent, cursor: string): void {
    this.#isGreeted = true
    this.send(hello, cursor)
  }

  send(event: LiveEvent, cursor: string): void {
    if (this.#isReading()) this.#send(event.type, JSON.stringify(event.data), cursor)
  }

  /** Now and in one write, or after what it has missed. */
  sendEvents(events: ShownEvent[], cursor: string): void {
    if (this.#held) this.#held.push({ events, cursor })
    else this.#write(this.#unknownOf(events), cursor)
  }

  /** From now on what is told waits, so that what was missed comes before it. */
  hold(): void {
    this.#held ??= []
  }

  /** Tells what was missed, then that it was, then what has waited and was not told just now. */
  catchUp(missed: ShownEvent[], cursors: { before: string; after: string }): void {
    this.#write(missed, cursors.before)
    this.send({ type: 'resumed', data: {} }, cursors.after)
    this.release(new Set(missed.map(({ seq }) => seq)))
  }

  /** @param known what need not be told any more; the reader of the log may come to it only after this */
  release(known: ReadonlySet<string> = nothing): void {
    const held = this.#held ?? []
    this.#held = undefined
    this.#known = known
    for (const { events, cursor } of held) this.#write(this.#unknownOf(events), cursor)
    this.#listener?.onReleased()
  }

  /**
   * What is no row of the log and is never told again: numbered like all frames, and not for who still catches up, since
   * its cursor would stand behind what he has not heard yet. He is told the whole when he is released.
   */
  sendTransient(type: LiveEvent['type'], json: string, cursor: string): void {
    if (!this.#held && this.#isReading()) this.#send(type, json, cursor)
  }

  #unknownOf(events: ShownEvent[]): ShownEvent[] {
    return this.#known.size === 0 ? events : events.filter(({ seq }) => !this.#known.has(seq))
  }

  /** What belongs together is bounded, and sent or not as a whole: a good network may well take it only afterwards. */
  #write(events: ShownEvent[], cursor: string): void {
    if (!this.#isReading()) return
    this.#duplex.cork()
    for (const event of events) {
      const frame = frameFor(event, this.who)
      if (frame) this.#send(frame.type, frame.json, cursor, event.seq)
    }
    this.#duplex.uncork()
  }

  #isReading(): boolean {
    if (!this.#isGreeted || this.#ws.readyState !== this.#ws.OPEN) return false
    if (this.#ws.bufferedAmount <= maxBufferedBytes) return true
    this.close(closeCodes.tooSlow, 'lento demais')
    return false
  }

  #send(type: string, json: string, cursor: string, seq?: string): void {
    const news = seq === undefined ? '' : `"seq":"${seq}",`
    this.#ws.send(
      `{"type":"${type}","n":${++this.#n},"cursor":"${cursor}","epoch":"${this.#epoch}",${news}"data":${json}}`,
    )
  }

  /** Asks whether it still lives. Ends it after two questions without an answer, or for a message that has no end. */
  ping(): void {
    // No reader is that far behind without skipping.
    this.#known = nothing
    const isUnfinished = this.#duplex.bytesRead > this.#readUpTo
    if (++this.#missedPings > maxMissedPings || (isUnfinished && this.#wasUnfinished))
      return this.#ws.terminate()
    this.#wasUnfinished = isUnfinished
    this.#ws.ping()
  }

  close(code: number, reason: string): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#ws.close(code, reason)
    // A peer that never answers the close must not hold memory.
    setTimeout(() => this.#ws.terminate(), 5000).unref()
  }

  #noteControlFrame(data: Buffer): void {
    this.#readUpTo += controlFrameBytes + data.length
  }

  #hear(data: Buffer, isBinary: boolean): void {
    this.#readUpTo = this.#duplex.bytesRead
    if (this.#isTooMany()) return this.close(closeCodes.tooManyFrames, 'mensagens demais')
    const frame = isBinary ? undefined : parseFrame(data)
    if (!frame) {
      this.#listener?.onRefused()
      if (++this.#refused > refusedLimit) this.close(closeCodes.tooManyFrames, 'mensagens demais')
      return
    }
    if (frame.type === 'authenticate') {
      if (frame.data.userId === this.who.id) return this.#listener?.onAuthenticate(frame.data)
      this.#listener?.onOtherUser(frame.data.userId)
      return this.close(closeCodes.otherUser, 'outro usuário')
    }
    if (frame.type === 'active') return this.#listener?.onActive()
    if (frame.type === 'viewing') return this.#listener?.onViewing(frame.data.conversationId)
    if (frame.type === 'typing')
      return this.#listener?.onTyping(frame.data.conversationId, frame.data.isTyping)
    this.#listener?.onStats()
  }

  #isTooMany(): boolean {
    const now = performance.now()
    if (now - this.#windowStart > 10_000) {
      this.#windowStart = now
      this.#frames = 0
    }
    return ++this.#frames > framesPerTenSeconds
  }
}

function parseFrame(data: Buffer) {
  try {
    const parsed = clientFrame.safeParse(JSON.parse(data.toString('utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
