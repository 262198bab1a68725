import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { clientFrame, closeCodes, type LiveEvent } from '#shared/live-events.ts'
import type { Who } from '#server/platform/http/access.ts'
import { frameFor, hiddenData, type ShownEvent } from './live-delivery.ts'

export type AuthenticateFrame = { lastCursor?: string | undefined; epoch?: string | undefined }

const maxBufferedBytes = 1_048_576
const maxMissedPings = 2
const framesPerTenSeconds = 200
const refusedLimit = 50
/** Two bytes of header and four of mask: the overhead of each control frame of a browser. */
const controlFrameBytes = 6

/** Receives the frames of a socket. */
export interface LiveSocketListener {
  onAuthenticate(frame: AuthenticateFrame): void
  /** The person claims to be another one. */
  onOtherUser(claimed: unknown): void
  onActive(): void
  onStats(): void
  /** The chat that is open in the tab. */
  onViewing(conversationId: number | null): void
  onTyping(conversationId: number, isTyping: boolean): void
  /** The socket has caught up and gets events from now on. */
  onReleased(): void
  /** A frame that the web client never sends. */
  onRefused(): void
  onClose(): void
}

const nothing: ReadonlySet<string> = new Set()

/**
 * The socket of one browser. Numbers its frames, limits its buffer, and closes with the code of the reason.
 */
export class LiveSocket {
  readonly id: string
  who: Who
  readonly #ws: WebSocket
  readonly #duplex: Socket
  readonly #epoch: string
  #n = 0
  #isGreeted = false
  /** Events that wait until the socket has caught up; undefined: they are sent at once. */
  #held: { events: ShownEvent[]; cursor: string }[] | undefined
  #missedPings = 0
  #frames = 0
  #refused = 0
  #windowStart = performance.now()
  #listener: LiveSocketListener | undefined
  /** `bytesRead` at the end of the last whole message and the control frames after it. */
  #readUpTo: number
  #wasUnfinished = false
  /** Events sent by the replay, which the reader of the log may yet pass on. */
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

  /** Sends the first frame; its cursor covers everything before it. */
  greet(hello: LiveEvent, cursor: string): void {
    this.#isGreeted = true
    this.send(hello, cursor)
  }

  send(event: LiveEvent, cursor: string): void {
    const data = this.who.hidesPhones ? hiddenData(event) : event.data
    if (this.#isReading()) this.#send(event.type, JSON.stringify(data), cursor)
  }

  /** Sends the events at once in one write, or after the missed ones. */
  sendEvents(events: ShownEvent[], cursor: string): void {
    if (this.#held) this.#held.push({ events, cursor })
    else this.#write(this.#unknownOf(events), cursor)
  }

  /** Holds events back from now on, so that missed ones come first. */
  hold(): void {
    this.#held ??= []
  }

  /** Sends the missed events, then 'resumed', then the held ones that were not among them. */
  catchUp(missed: ShownEvent[], cursors: { before: string; after: string }): void {
    this.#write(missed, cursors.before)
    this.send({ type: 'resumed', data: {} }, cursors.after)
    this.release(new Set(missed.map(({ seq }) => seq)))
  }

  /** @param known events to skip, because the replay has sent them */
  release(known: ReadonlySet<string> = nothing): void {
    const held = this.#held ?? []
    this.#held = undefined
    this.#known = known
    for (const { events, cursor } of held) this.#write(this.#unknownOf(events), cursor)
    this.#listener?.onReleased()
  }

  /**
   * Sends a frame that is not in the log and never repeated. It is skipped while the socket catches up,
   * because its cursor would be beyond events that the socket has not got; after the release the whole state
   * is sent.
   */
  sendTransient(type: LiveEvent['type'], json: string, cursor: string): void {
    if (!this.#held && this.#isReading()) this.#send(type, json, cursor)
  }

  #unknownOf(events: ShownEvent[]): ShownEvent[] {
    return this.#known.size === 0 ? events : events.filter(({ seq }) => !this.#known.has(seq))
  }

  /**
   * Checks the buffer before the batch and not within it: even a good network may only drain it afterwards.
   */
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
      `{"type":"${type}","n":${++this.#n},"cursor":"${cursor}","epoch":"${this.#epoch}",` +
        `${news}"data":${json}}`,
    )
  }

  /**
   * Pings the peer. Terminates the socket after two pings without an answer, or when a message does not end.
   */
  ping(): void {
    // A reader that far behind would have skipped these events.
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
    // A peer that never answers the close must not take memory.
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
