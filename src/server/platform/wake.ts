import type pg from 'pg'
import { z } from 'zod'
import type { Log } from './log.ts'

/** 'ticks': events, too, but such that nobody waits for. 'gateway': how a number is reached and proves itself changed. */
export const wakeChannels = ['events', 'ticks', 'outbox', 'inbox', 'media', 'presence', 'gateway'] as const
export type WakeChannel = (typeof wakeChannels)[number]

/** Tells sleepers that there may be work: here at once, in other instances within 20 ms. Only a hint: all of them poll too. */
export interface Wake {
  /** Call after the commit, never inside a transaction: a NOTIFY there halves the throughput. */
  signal(channel: WakeChannel): void
  on(channel: WakeChannel, listener: () => void): () => void
  /** Says something to the other instances, best effort: what is not heard is lost. At most `longestNote` of JSON. */
  tell(note: unknown): void
  /** What other instances said, unjudged. */
  onNote(listener: (note: unknown) => void): () => void
  close(): Promise<void>
}

const notifyEveryMs = 20

/** Bytes of UTF-8; PostgreSQL refuses a NOTIFY of 8000. */
export const longestNote = 7500

/** Whoever may connect to the database may say anything on a channel; what we did not say is not heard. */
const heardFrom = z
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

/** @param connect makes a connection of its own for LISTEN; it is made again when it is lost */
export function createWake(connect: () => pg.Client, pool: pg.Pool, log: Log): Wake {
  const listeners = new Map<WakeChannel, Set<() => void>>(wakeChannels.map((channel) => [channel, new Set()]))
  const noteListeners = new Set<(note: unknown) => void>()
  const toNotify = new Set<WakeChannel>()
  const self = crypto.randomUUID()
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let isClosed = false

  const fire = (channel: WakeChannel) => {
    for (const listener of listeners.get(channel) ?? []) listener()
  }

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    if (toNotify.size === 0) return
    const channels = [...toNotify]
    toNotify.clear()
    await notify({ channels })
  }
  const notify = async (said: { channels: WakeChannel[]; note?: unknown }) => {
    await pool
      .query(`select pg_notify('balcao', $1)`, [JSON.stringify({ from: self, ...said })])
      .catch((error: unknown) => log.debug({ err: error }, 'notify failed'))
  }

  const hear = (payload: string | undefined) => {
    const said = heardFrom.safeParse(payload)
    if (!said.success || said.data.from === self) return
    for (const channel of wakeChannels) if (said.data.channels.includes(channel)) fire(channel)
    if (said.data.note !== undefined) for (const listener of noteListeners) listener(said.data.note)
  }

  const listen = () => {
    if (isClosed) return
    const next = connect()
    client = next
    next.on('notification', (message) => hear(message.payload))
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
      .then(() => wakeChannels.forEach(fire), again)
  }
  listen()

  return {
    signal(channel) {
      fire(channel)
      toNotify.add(channel)
      timer ??= setTimeout(() => void flush(), notifyEveryMs)
    },
    on(channel, listener) {
      listeners.get(channel)?.add(listener)
      return () => listeners.get(channel)?.delete(listener)
    },
    tell: (note) => void notify({ channels: [], note }),
    onNote(listener) {
      noteListeners.add(listener)
      return () => noteListeners.delete(listener)
    },
    async close() {
      isClosed = true
      // What the last commits left to be done is for the others.
      await flush()
      const last = client
      client = undefined
      await last?.end().catch(() => undefined)
    },
  }
}
