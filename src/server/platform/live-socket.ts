import type { WebSocket } from 'ws'
import { clientFrame, closeCodes, type LiveEvent } from '#shared/live-events.ts'
import type { Who } from './access.ts'

type AuthenticateFrame = { lastCursor?: string | undefined; epoch?: string | undefined }

const maxBufferedBytes = 1_048_576
const maxMissedPings = 2
const framesPerTenSeconds = 200
const refusedLimit = 50

/** One browser's socket: numbers its frames, bounds what it buffers, and closes with the code that tells why. */
export class LiveSocket {
  readonly id: string
  who: Who
  readonly #ws: WebSocket
  readonly #epoch: string
  #n = 0
  #isGreeted = false
  #missedPings = 0
  #frames = 0
  #refused = 0
  #windowStart = performance.now()
  #onAuthenticate: (frame: AuthenticateFrame) => void = () => undefined
  #onActive: () => void = () => undefined
  #onStats: () => void = () => undefined

  constructor(options: { ws: WebSocket; who: Who; epoch: string; id: string }) {
    this.id = options.id
    this.who = options.who
    this.#ws = options.ws
    this.#epoch = options.epoch
    this.#ws.on('message', (data, isBinary) => this.#hear(data as Buffer, isBinary))
    this.#ws.on('pong', () => (this.#missedPings = 0))
    // ws closes the socket itself after a protocol error; without a listener the process would end.
    this.#ws.on('error', () => undefined)
  }

  onAuthenticate(listener: (frame: AuthenticateFrame) => void): void {
    this.#onAuthenticate = listener
  }

  onActive(listener: () => void): void {
    this.#onActive = listener
  }

  onStats(listener: () => void): void {
    this.#onStats = listener
  }

  onClose(listener: () => void): void {
    this.#ws.once('close', listener)
  }

  /** The first frame; whatever was sent before it is in what its cursor stands for. */
  greet(hello: LiveEvent, cursor: string): void {
    this.#isGreeted = true
    this.send(hello, cursor)
  }

  send(event: LiveEvent, cursor: string): void {
    this.sendBuilt(event.type, JSON.stringify(event.data), cursor)
  }

  /** @param json the event's data, built once for all sockets */
  sendBuilt(type: string, json: string, cursor: string): void {
    if (!this.#isGreeted || this.#ws.readyState !== this.#ws.OPEN) return
    if (this.#ws.bufferedAmount > maxBufferedBytes) return this.close(closeCodes.tooSlow, 'lento demais')
    this.#ws.send(
      `{"type":"${type}","n":${++this.#n},"cursor":"${cursor}","epoch":"${this.#epoch}","data":${json}}`,
    )
  }

  ping(): void {
    if (++this.#missedPings > maxMissedPings) return this.#ws.terminate()
    this.#ws.ping()
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason)
    // A peer that never answers the close must not hold memory.
    setTimeout(() => this.#ws.terminate(), 5000).unref()
  }

  #hear(data: Buffer, isBinary: boolean): void {
    if (this.#isTooMany()) return this.close(closeCodes.tooManyFrames, 'mensagens demais')
    const frame = isBinary ? undefined : parseFrame(data)
    if (!frame) {
      if (++this.#refused > refusedLimit) this.close(closeCodes.tooManyFrames, 'mensagens demais')
      return
    }
    if (frame.type === 'authenticate') {
      if (frame.data.userId !== this.who.id) return this.close(closeCodes.otherUser, 'outro usuário')
      return this.#onAuthenticate(frame.data)
    }
    if (frame.type === 'active') return this.#onActive()
    this.#onStats()
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
