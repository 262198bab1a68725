import { WebSocket } from 'ws'
import type { Random } from '#simulator/random.ts'
import { nextStep } from '#web/platform/live/reconnect-policy.ts'
import type { Operator } from './environment.ts'

/** A message that a sampled tab received. */
export interface ReceivedMessage {
  id: number
  conversationId: number
  /** Which of the tab's connections received it. */
  connection: number
  /** Received as part of a replay, or before it was complete. */
  isReplay: boolean
}

export interface TabEvents {
  /** @param latencyMs from the phone to this tab */
  onMessage(latencyMs: number, writtenAtMs: number): void
  onFault(line: string): void
}

/** Each message's text ends with the time of writing. */
const writtenAt = (content: string) => Number(/ às (\d+)$/.exec(content)?.[1] ?? Number.NaN)

/**
 * A browser tab without a screen: connects, authenticates, resumes by its cursor, and reconnects by the web's
 * own policy. It checks the number of every frame; only a sampled tab parses the content.
 */
export class Tab {
  state: 'away' | 'open' | 'ready' = 'away'
  readonly received: ReceivedMessage[] = []
  readonly ends = { resumed: 0, resync: 0, notNow: 0 }
  readonly #url: string
  readonly #operator: Operator
  readonly #random: Random
  readonly #events: TabEvents
  readonly #isSampled: boolean
  #ws: WebSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #failedAttempts = 0
  #connection = 0
  #n = 0
  #last: Buffer | undefined
  #known: { cursor: string; epoch: string } | undefined

  constructor(options: {
    url: string
    operator: Operator
    random: Random
    events: TabEvents
    isSampled: boolean
  }) {
    this.#url = `${options.url.replace('http:', 'ws:')}/ws`
    this.#operator = options.operator
    this.#random = options.random
    this.#events = options.events
    this.#isSampled = options.isSampled
  }

  get isSampled(): boolean {
    return this.#isSampled
  }

  connect(): void {
    const { token, userId } = this.#operator
    const ws = new WebSocket(this.#url, ['bearer', token], { perMessageDeflate: false })
    this.#ws = ws
    this.#connection++
    this.#n = 0
    ws.on('open', () => {
      this.state = 'open'
      const known = this.#known && { lastCursor: this.#known.cursor, epoch: this.#known.epoch }
      ws.send(JSON.stringify({ type: 'authenticate', data: { userId, ...known } }))
    })
    ws.on('message', (data) => this.#receive(data as Buffer))
    ws.on('error', () => undefined)
    ws.on('close', (code, reason) => this.#lose(code, reason.toString('utf8')))
  }

  /** Disconnects without reconnecting. */
  close(): void {
    clearTimeout(this.#timer)
    const ws = this.#ws
    this.#ws = undefined
    ws?.terminate()
  }

  /** Stops reading, like a suspended machine. */
  freeze(): void {
    this.#ws?.pause()
  }

  #receive(data: Buffer): void {
    const head = data.toString('latin1', 0, 64)
    const [, type = '', n = ''] = /^\{"type":"(\w+)","n":(\d+)/.exec(head) ?? []
    if (Number(n) !== ++this.#n) this.#events.onFault(`frame ${n} instead of ${this.#n}`)
    if (type === 'hello') {
      this.#failedAttempts = 0
      if (!this.#known) this.state = 'ready'
    }
    if (type === 'resumed' || type === 'resync') {
      this.ends[type]++
      this.state = 'ready'
    }
    // As in the browser, the position advances only after missed events have been received.
    if (this.state === 'ready') this.#last = data
    if (this.#isSampled && type === 'message_received') this.#read(data)
  }

  #read(data: Buffer): void {
    const frame = JSON.parse(data.toString('utf8')) as {
      data: { conversationId: number; message: { id: number; content: string } }
    }
    const { conversationId, message } = frame.data
    const isReplay = this.state !== 'ready'
    this.received.push({ id: message.id, conversationId, connection: this.#connection, isReplay })
    const writtenAtMs = writtenAt(message.content)
    if (!isReplay) this.#events.onMessage(Date.now() - writtenAtMs, writtenAtMs)
  }

  #lose(code: number, reason: string): void {
    if (!this.#ws) return
    this.state = 'away'
    if (this.#last) {
      const { cursor, epoch } = JSON.parse(this.#last.toString('utf8')) as { cursor: string; epoch: string }
      this.#known = { cursor, epoch }
      this.#last = undefined
    }
    const step = nextStep(this.#failedAttempts, { code, reason }, this.#random())
    if (step.kind === 'session ended') return this.#events.onFault(`session ended: ${code} ${reason}`)
    if (step.counts) this.#failedAttempts++
    else this.ends.notNow++
    this.#timer = setTimeout(() => this.connect(), step.delayMs)
  }
}
