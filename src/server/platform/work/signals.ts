import type pg from 'pg'
import { z } from 'zod'
import type { Log } from '../log.ts'

/**
 * What may have happened. `ticks`: events that nobody waits for. `gateway`: the address or the secret of a
 * number changed. `connections`: whether a number is connected must be asked. `connected`: a number is
 * connected again.
 */
export const signalChannels = [
  'events',
  'ticks',
  'outbox',
  'inbox',
  'media',
  'presence',
  'gateway',
  'connections',
  'connected',
  'jobs',
  'assistant',
  'transcriptions',
] as const
export type SignalChannel = (typeof signalChannels)[number]

/**
 * Hints between the workers of this process and, by NOTIFY, those of other instances within 20 ms. A hint may
 * be lost, so its listeners poll as well.
 */
export interface Signals {
  /** Call after the commit, never inside a transaction: a NOTIFY there halves the throughput. */
  send(channel: SignalChannel): void
  /** @returns a function that removes the listener */
  on(channel: SignalChannel, listener: () => void): () => void
  /** Sends a value to the other instances, best effort. At most `longestNote` bytes of JSON. */
  broadcast(note: unknown): void
  /** Receives what other instances broadcast, not validated. @returns a function that removes the listener */
  onNote(listener: (note: unknown) => void): () => void
  close(): Promise<void>
}

const notifyEveryMs = 20

/** Bytes of UTF-8; PostgreSQL refuses a NOTIFY of 8000. */
export const longestNote = 7500

/**
 * Any role that may connect to the database can notify any channel, so whatever does not parse is ignored.
 */
const notification = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue('no JSON')
      return z.NEVER
    }
  })
  .pipe(z.object({ from: z.string(), channels: z.array(z.string()), note: z.unknown().optional() }))

/** @param connect creates the connection for LISTEN, initially and after each loss */
export function createSignals(connect: () => pg.Client, pool: pg.Pool, log: Log): Signals {
  const listeners = new Map<SignalChannel, Set<() => void>>(
    signalChannels.map((channel) => [channel, new Set()]),
  )
  const noteListeners = new Set<(note: unknown) => void>()
  const toNotify = new Set<SignalChannel>()
  const self = crypto.randomUUID()
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let isClosed = false

  function fire(channel: SignalChannel): void {
    for (const listener of listeners.get(channel) ?? []) listener()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (toNotify.size === 0) return
    const channels = [...toNotify]
    toNotify.clear()
    await notify({ channels })
  }

  async function notify(content: { channels: SignalChannel[]; note?: unknown }): Promise<void> {
    await pool
      .query(`select pg_notify('balcao', $1)`, [JSON.stringify({ from: self, ...content })])
      .catch((error: unknown) => log.debug({ err: error }, 'notify failed'))
  }

  function receive(payload: string | undefined): void {
    const parsed = notification.safeParse(payload)
    if (!parsed.success || parsed.data.from === self) return
    const { channels, note } = parsed.data
    for (const channel of signalChannels) if (channels.includes(channel)) fire(channel)
    if (note !== undefined) for (const listener of noteListeners) listener(note)
  }

  function listen(): void {
    if (isClosed) return
    const next = connect()
    client = next
    next.on('notification', (message) => receive(message.payload))
    const again = () => {
      if (client !== next) return
      client = undefined
      void next.end().catch(() => undefined)
      setTimeout(listen, 1000).unref()
    }
    next.on('error', again)
    next.on('end', again)
    next
      .connect()
      .then(() => next.query('listen balcao'))
      // Signals sent while nothing listened are lost: every listener checks once.
      .then(() => signalChannels.forEach(fire), again)
  }
  listen()

  return {
    send(channel) {
      fire(channel)
      toNotify.add(channel)
      timer ??= setTimeout(() => void flush(), notifyEveryMs)
    },
    on(channel, listener) {
      listeners.get(channel)?.add(listener)
      return () => listeners.get(channel)?.delete(listener)
    },
    broadcast: (note) => void notify({ channels: [], note }),
    onNote(listener) {
      noteListeners.add(listener)
      return () => noteListeners.delete(listener)
    },
    async close() {
      isClosed = true
      // The last commits may have left work to the other instances.
      await flush()
      const last = client
      client = undefined
      await last?.end().catch(() => undefined)
    },
  }
}
