import { AsyncLocalStorage } from 'node:async_hooks'
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { WebSocket } from 'ws'
import type { LiveFrame } from '#shared/live-events.ts'
import type { Page } from './page.ts'
import type { Principal } from './world.ts'

/** The browser whose page code runs: its calls and long timers belong to it. */
const acting = new AsyncLocalStorage<Browser>()
const realFetch = globalThis.fetch
const realSetTimeout = globalThis.setTimeout
/** The delay of the page's code that a walk controls. */
const refreshDelayMs = 1000

/** Separates the calls and refresh timers of several browsers in one process. */
export function installBrowsers(): () => void {
  globalThis.fetch = (address, init) => {
    const browser = acting.getStore()
    return browser ? browser.fetch(address as string, init ?? {}) : realFetch(address, init)
  }
  globalThis.setTimeout = ((work: () => void, ms?: number, ...rest: unknown[]) => {
    const browser = acting.getStore()
    if (!browser || ms !== refreshDelayMs) return realSetTimeout(work, ms, ...(rest as []))
    browser.timers.push(work)
    return 0
  }) as typeof setTimeout
  return () => {
    globalThis.fetch = realFetch
    globalThis.setTimeout = realSetTimeout
  }
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A browser without a screen: the page's cache, its queries and its live link. */
export class Browser {
  readonly who: Principal
  readonly client: QueryClient
  /** Timers that wait for their second to pass. */
  timers: (() => void)[] = []
  readonly seen = new Map<string, number>()
  /** Delayed answers. */
  delayed: (() => void)[] = []
  isHolding = false
  hasMissed = false
  barriers = 0
  chats: number[] = []
  readonly #page: Page
  readonly #url: string
  #inFlight = 0
  #ws: WebSocket | undefined
  #position: ReturnType<ReturnType<Page['watchFrames']>['position']>
  readonly #received = new Set<string>()
  readonly #leave: (() => void)[] = []
  readonly #leaveChat = new Map<number, () => void>()
  readonly #leaveTimeline = new Map<number, () => void>()

  constructor(url: string, who: Principal, page: Page) {
    this.#url = url
    this.who = who
    this.#page = page
    this.client = new QueryClient({
      defaultOptions: {
        queries: { staleTime: 0, gcTime: Infinity, retry: false, refetchOnReconnect: false },
      },
    })
  }

  run<T>(work: () => T): T {
    return acting.run(this, work)
  }

  /** Makes a call of the page. The answer has the current state, and may arrive later. */
  async fetch(address: string, init: RequestInit): Promise<Response> {
    this.#inFlight++
    try {
      const headers = {
        ...(init.headers as Record<string, string>),
        authorization: `Bearer ${this.who.token}`,
      }
      const isHeld = this.isHolding
      const answer = await realFetch(`${this.#url}${address}`, { ...init, headers })
      const text = await answer.text()
      if (isHeld) {
        this.#inFlight--
        await new Promise<void>((resolve) => this.delayed.push(resolve))
        this.#inFlight++
      }
      const { status } = answer
      return new Response(status === 304 || status === 204 ? null : text, { status, headers: answer.headers })
    } finally {
      this.#inFlight--
    }
  }

  /** Fetches what the screens show: lists, counts, the user. */
  open(): void {
    const { conversationQueries, userQueries } = this.#page
    const userId = this.who.id
    const shown = [
      conversationQueries.open(),
      conversationQueries.reads(),
      conversationQueries.list({ page: 1, limit: 5, search: '', userId }),
      conversationQueries.list({ page: 2, limit: 5, search: '', userId }),
      conversationQueries.list({ page: 1, limit: 10, search: 'Maria 1', userId }),
      conversationQueries.list({
        page: 1,
        limit: 3,
        search: '',
        tab: 'mine',
        order: 'waiting',
        userId,
      }),
      conversationQueries.list({ page: 1, limit: 5, search: '', tab: 'queue', order: 'activity', userId }),
      conversationQueries.list({ page: 1, limit: 5, search: 'Maria', order: 'activity', userId }),
      conversationQueries.drafts(),
      userQueries.me(),
    ]
    this.run(() => {
      for (const options of shown)
        this.#leave.push(new QueryObserver(this.client, options as never).subscribe(() => undefined))
    })
  }

  enterChat(id: number): void {
    if (this.chats.includes(id)) return
    this.chats.push(id)
    const options = this.#page.conversationQueries.one(id)
    const leave = this.run(() =>
      new QueryObserver(this.client, options).subscribe(() => this.#showTimeline(id)),
    )
    this.#leaveChat.set(id, leave)
    this.#showTimeline(id)
  }

  /** Shows the timeline of an open chat while its conversation is loaded. */
  #showTimeline(id: number): void {
    const { one, messages } = this.#page.conversationQueries
    const isThere = this.chats.includes(id) && Boolean(this.client.getQueryData(one(id).queryKey))
    const leave = this.#leaveTimeline.get(id)
    if (isThere === (leave !== undefined)) return
    this.#leaveTimeline.delete(id)
    leave?.()
    if (!isThere) return
    const observer = this.run(() => new InfiniteQueryObserver(this.client, messages(id)))
    this.#leaveTimeline.set(
      id,
      this.run(() => observer.subscribe(() => undefined)),
    )
  }

  leaveChat(id: number): void {
    this.chats = this.chats.filter((each) => each !== id)
    this.#leaveChat.get(id)?.()
    this.#leaveChat.delete(id)
    this.#showTimeline(id)
  }

  /** Loads older messages of a chat. */
  olderMessages(id: number): void {
    const options = this.#page.conversationQueries.messages(id)
    if (!this.#leaveTimeline.has(id)) return
    this.run(
      () => void new InfiniteQueryObserver(this.client, options).fetchNextPage().catch(() => undefined),
    )
  }

  poll(): void {
    this.run(() => void this.client.refetchQueries({ type: 'active' }))
  }

  /** Runs all waiting timers. */
  passSecond(): void {
    const due = this.timers
    this.timers = []
    this.run(() => due.forEach((work) => work()))
  }

  land(): void {
    const landing = this.delayed
    this.delayed = []
    landing.forEach((resolve) => resolve())
  }

  get isConnected(): boolean {
    return this.#ws !== undefined
  }

  /** Connects and resumes from the last cursor; with 'lost', from an unknown one. */
  async connect(how: 'resume' | 'lost' = 'resume'): Promise<void> {
    const watch = this.#page.watchFrames(this.#position, this.#received)
    const ws = new WebSocket(`${this.#url.replace('http:', 'ws:')}/ws`, ['bearer', this.who.token])
    this.#ws = ws
    const known = this.#position
    const isCaughtUp = new Promise<void>((resolve, reject) => {
      ws.on('error', reject)
      ws.on('message', (data) => {
        const frame = JSON.parse((data as Buffer).toString('utf8')) as LiveFrame
        this.#receive(frame, watch)
        if (frame.type === (known ? 'resumed' : 'hello') || frame.type === 'resync') resolve()
      })
    })
    await new Promise<void>((resolve) => ws.on('open', () => resolve()))
    const place = known && { lastCursor: known.cursor, epoch: how === 'lost' ? 'another' : known.epoch }
    ws.send(JSON.stringify({ type: 'authenticate', data: { userId: this.who.id, ...place } }))
    await isCaughtUp
  }

  #receive(frame: LiveFrame, watch: ReturnType<Page['watchFrames']>): void {
    this.seen.set(frame.type, (this.seen.get(frame.type) ?? 0) + 1)
    const seen = watch.see(frame)
    this.#position = watch.position()
    this.run(() => {
      if (seen !== 'again') this.#page.receive(this.client, frame)
      if (seen === 'lost') void this.client.invalidateQueries()
    })
    if (frame.type === 'settings_changed') this.barriers++
  }

  async drop(): Promise<void> {
    const ws = this.#ws
    this.#ws = undefined
    if (!ws) return
    const closed = new Promise((resolve) => ws.on('close', resolve))
    ws.terminate()
    await closed
  }

  /** Frames that change no cache. */
  async types(conversationId: number): Promise<void> {
    this.#ws?.send(JSON.stringify({ type: 'viewing', data: { conversationId } }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    this.#ws?.send(JSON.stringify({ type: 'typing', data: { conversationId, isTyping: true } }))
  }

  async askStats(): Promise<void> {
    const before = this.seen.get('stats_update') ?? 0
    this.#ws?.send(JSON.stringify({ type: 'request_stats', data: {} }))
    await until(() => (this.seen.get('stats_update') ?? 0) > before)
  }

  /** Waits until only delayed answers are pending. */
  async idle(): Promise<void> {
    for (let calm = 0; calm < 3; calm++) {
      await soon()
      if (this.#inFlight > 0) calm = -1
    }
  }

  async close(): Promise<void> {
    await this.drop()
    this.land()
    for (const id of this.chats) this.leaveChat(id)
    for (const leave of this.#leave) leave()
    this.client.clear()
  }
}

export async function until(isTrue: () => boolean, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('nothing came')
    await soon()
  }
}
