import { useSyncExternalStore } from 'react'
import type { ClientFrame, LiveFrame } from '#shared/live-events.ts'
import { sessionEnded } from '#web/platform/api/api.ts'
import { createEmitter } from '#web/platform/emitter.ts'
import { watchFrames, type Position } from './frame-watch.ts'
import { jitter } from './jitter.ts'
import { openConnection, type Connection } from './live-connection.ts'
import { nextStep, type Closed } from './reconnect-policy.ts'

export type LiveStatus = 'connecting' | 'open' | 'reconnecting' | 'failed'

export const failedText = 'Falha ao reconectar após múltiplas tentativas'

const hiddenTooLongMs = 60_000
const activeEveryMs = 60_000
/** Browsers without a network may err, so the link is tried all the same. */
const offlineRetryMs = 10_000
/** Several reasons to refetch everything arrive together; they are merged. */
const resyncWithinMs = 100

const frames = createEmitter<LiveFrame>()
const resyncs = createEmitter<void>()
const changes = createEmitter<void>()

let userId: number | undefined
let connection: Connection | undefined
let position: Position | undefined
const delivered = new Set<string>()
/**
 * Where the events that this tab has received are kept while it is reloaded. The position of a fresh page may
 * be behind them, and nobody is notified twice; whatever the page fetches already contains them.
 */
const deliveredKey = 'live'
let status: LiveStatus = 'connecting'
let errorText: string | undefined
let failedAttempts = 0
let reconnectTimer: ReturnType<typeof setTimeout> | undefined
let mayHurry = true
let resyncTimer: ReturnType<typeof setTimeout> | undefined
let hiddenAtMs: number | undefined
let activeSentMs = -Infinity

/**
 * The position in the event log before anything was fetched for this user: the first connection resumes from
 * there, so that nothing has to be fetched again. Ignored once something is known of this user.
 */
export function beginLiveAt(id: number, from: Position): void {
  if (userId === id) return
  stopLive()
  userId = id
  position = from
  delivered.clear()
  const [epoch, ...seqs] = sessionStorage.getItem(deliveredKey)?.split(' ') ?? []
  if (epoch === from.epoch) seqs.forEach((seq) => delivered.add(seq))
}

/** Connects as this user and stays connected until `stopLive`. */
export function startLive(id: number): void {
  if (userId === id && (connection || reconnectTimer)) return
  if (userId !== id) {
    position = undefined
    delivered.clear()
  }
  stopLive()
  userId = id
  failedAttempts = 0
  setStatus('connecting', undefined)
  connect()
}

/** Closes the link. The position in the event log is kept, so that the same user can resume. */
export function stopLive(): void {
  clearTimeout(reconnectTimer)
  reconnectTimer = undefined
  const open = connection
  connection = undefined
  open?.close()
}

/** Called with each frame, in order and once, after its number was checked. @see shared/live-events.ts */
export function onLiveEvent(listener: (event: LiveFrame) => void): () => void {
  return frames.on(listener)
}

/** Called when events may have been missed: everything shown must be refetched silently. */
export function onResync(listener: () => void): () => void {
  return resyncs.on(listener)
}

/** Sends a frame to the server, or drops it while the link is down. */
export function sendLive(frame: ClientFrame): void {
  connection?.send(frame)
}

/** The link's status, outside React. */
export function liveStatus(): LiveStatus {
  return status
}

/** Called after each change of `liveStatus`. */
export function onLiveStatus(listener: () => void): () => void {
  return changes.on(listener)
}

/**
 * 'connecting' until the first success, then 'open', 'reconnecting', and 'failed' after five attempts (which
 * continue).
 */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(changes.on, liveStatus)
}

/** Why the link is down, as specified for users; undefined while it works. @see specification §8 Real-time */
export function useLiveError(): string | undefined {
  return useSyncExternalStore(changes.on, () => errorText)
}

function connect(): void {
  if (userId === undefined) return
  clearTimeout(reconnectTimer)
  reconnectTimer = undefined
  const watch = watchFrames(position, delivered)
  const mine = openConnection({
    userId,
    position: watch.position,
    onError: (text) => mine === connection && setStatus(status, status === 'failed' ? failedText : text),
    onClosed: (closed) => mine === connection && lose(closed),
    onFrame: (frame) => {
      if (mine !== connection) return
      const seen = watch.see(frame)
      position = watch.position()
      if (frame.type === 'hello') {
        failedAttempts = 0
        setStatus('open', undefined)
      }
      if (seen === 'again') return
      if (seen === 'lost') resyncSoon()
      frames.emit(frame)
      window.dispatchEvent(new CustomEvent('balcao:live', { detail: frame }))
    },
  })
  connection = mine
}

function lose(closed: Closed): void {
  connection = undefined
  const step = nextStep(failedAttempts, closed, jitter())
  if (step.kind === 'session ended') return sessionEnded()
  if (step.counts) failedAttempts += 1
  mayHurry = step.mayHurry
  setStatus(step.status, step.status === 'failed' ? failedText : errorText)
  reconnectTimer = setTimeout(connect, step.delayMs)
}

/** The network or the user is back: reconnect now, unless the server asked for a delay. */
function hurry(): void {
  if (reconnectTimer !== undefined && mayHurry) connect()
}

/** The browser knows that there is no network; a socket alone would learn of it by a missing heartbeat. */
function giveUp(): void {
  if (!connection) return
  stopLive()
  // A delay that the server once asked for is over: it was reachable since.
  mayHurry = true
  setStatus('reconnecting', undefined)
  reconnectTimer = setTimeout(connect, offlineRetryMs)
}

function resyncSoon(): void {
  resyncTimer ??= setTimeout(() => {
    resyncTimer = undefined
    resyncs.emit()
  }, resyncWithinMs)
}

function setStatus(next: LiveStatus, error: string | undefined): void {
  if (status === next && errorText === error) return
  status = next
  errorText = error
  changes.emit()
}

function onVisibility(): void {
  if (document.visibilityState === 'hidden') {
    hiddenAtMs = performance.now()
    return
  }
  const hiddenMs = hiddenAtMs === undefined ? 0 : performance.now() - hiddenAtMs
  hiddenAtMs = undefined
  hurry()
  if (userId !== undefined && hiddenMs > hiddenTooLongMs) resyncSoon()
}

/** Reports user activity, at most once a minute: the queue depends on presence. */
function onInput(): void {
  const now = performance.now()
  if (!connection || now - activeSentMs < activeEveryMs) return
  activeSentMs = now
  connection.send({ type: 'active', data: {} })
}

/** The order is kept: the oldest are forgotten first. */
function keepDelivered(): void {
  if (position) sessionStorage.setItem(deliveredKey, [position.epoch, ...delivered].join(' '))
}

document.addEventListener('visibilitychange', onVisibility)
window.addEventListener('pagehide', keepDelivered)
window.addEventListener('online', hurry)
window.addEventListener('offline', giveUp)
for (const input of ['pointerdown', 'pointermove', 'keydown'])
  window.addEventListener(input, onInput, { passive: true, capture: true })
