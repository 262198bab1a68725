import { AppError } from '#shared/errors.ts'

/** The place of one body among those whose sender is not proven before they are read. */
export interface Place {
  /** The body has the key: its address is trusted from now on. */
  prove(): void
  /**
   * To be called at the end of the request, also of one that still waits.
   * @param isRefused whether the end counts against the address, unless the body was proven
   */
  leave(isRefused: boolean): void
}

/** Limits how many bodies of strangers are in memory, and how many of an address are read to be refused. */
export interface UnprovenBodies {
  /**
   * @param address as `guesserAddress` counts it
   * @param announced in bytes; undefined when it is not known
   * @returns the place; `isFree` resolves when the body may be read, and rejects with AppError 503 after a
   *   while
   * @throws AppError 429 for a large body of an address of which too many were refused
   */
  enter(address: string, announced: number | undefined): Place & { isFree: Promise<void> }
}

/** Of all addresses together, except those that had the key before. */
const mostAtOnce = 4
const mostOfAddress = 2
/** Of an address that had the key before: a gateway posts many at once. */
const mostOfTrusted = 8
const mostWaiting = 16
/** How long a body of 1 MiB at most may take whose sender is not proven before its end. */
export const unprovenMs = 10_000
/** Longer, so that whoever comes together with slow strangers gets the place that they lose. */
const usualWaitMs = unprovenMs + 5000
/** After so many refusals within a minute, an address is refused for a minute. */
const mostRefusals = 8
const minuteMs = 60_000
/**
 * A body as short as this costs little more than its refusal, and may be the first of a gateway that shares
 * its address with a stranger.
 */
const shortBytes = 16_384
/** A gateway has few addresses, and only a key enters one. */
const mostTrusted = 1000
const manyAddresses = 1000

interface Waiter {
  address: string
  begin(): void
  giveUp(): void
}

export function createUnprovenBodies(waitMs: number = usualWaitMs): UnprovenBodies {
  const trusted = new Set<string>()
  const refusals = new Map<string, { count: number; untilMs: number }>()
  const reading = new Map<string, number>()
  const waiting: Waiter[] = []
  let strangers = 0

  const refusalsOf = (address: string): number => {
    if (trusted.has(address)) return 0
    const known = refusals.get(address)
    return known && performance.now() < known.untilMs ? known.count : 0
  }

  const noteRefusal = (address: string) => {
    if (trusted.has(address)) return
    const count = refusalsOf(address)
    if (count >= mostRefusals) return
    const now = performance.now()
    if (refusals.size > manyAddresses)
      for (const [other, { untilMs }] of refusals) if (untilMs <= now) refusals.delete(other)
    // The minute in which they are counted, or the one in which the address is refused.
    const isNewMinute = count === 0 || count + 1 === mostRefusals
    const untilMs = isNewMinute ? now + minuteMs : (refusals.get(address)?.untilMs ?? now)
    refusals.set(address, { count: count + 1, untilMs })
  }

  const trust = (address: string) => {
    trusted.delete(address)
    trusted.add(address)
    const [oldest] = trusted
    if (trusted.size > mostTrusted && oldest !== undefined) trusted.delete(oldest)
  }

  const mayBegin = (address: string) => {
    const own = reading.get(address) ?? 0
    return trusted.has(address) ? own < mostOfTrusted : own < mostOfAddress && strangers < mostAtOnce
  }

  /** Those who were refused least come first, and among them those who have waited longest. */
  const inOrder = (some: Waiter[]) => some.toSorted((a, b) => refusalsOf(a.address) - refusalsOf(b.address))

  const admit = () => {
    for (;;) {
      const [next] = inOrder(waiting.filter(({ address }) => mayBegin(address)))
      if (!next) return
      waiting.splice(waiting.indexOf(next), 1)
      next.begin()
    }
  }

  return {
    enter(address, announced) {
      const isShort = announced !== undefined && announced <= shortBytes
      if (!isShort && refusalsOf(address) >= mostRefusals)
        throw new AppError('request.too_many', { retryAfterSeconds: minuteMs / 1000 })
      const { promise: isFree, resolve, reject } = Promise.withResolvers<void>()
      // One who leaves while waiting is not listened to any more.
      isFree.catch(() => undefined)
      let [isReading, isStranger, isProven] = [false, false, false]
      const patience = setTimeout(() => waiter.giveUp(), waitMs)
      const waiter: Waiter = {
        address,
        begin() {
          clearTimeout(patience)
          isReading = true
          isStranger = !trusted.has(address)
          if (isStranger) strangers++
          reading.set(address, (reading.get(address) ?? 0) + 1)
          resolve()
        },
        giveUp() {
          clearTimeout(patience)
          const place = waiting.indexOf(waiter)
          if (place >= 0) waiting.splice(place, 1)
          reject(new AppError('request.unavailable', { retryAfterSeconds: 2 }))
        },
      }
      waiting.push(waiter)
      admit()
      if (waiting.length > mostWaiting) inOrder(waiting).at(-1)?.giveUp()
      return {
        isFree,
        prove() {
          isProven = true
          trust(address)
        },
        leave(isRefused) {
          if (!isReading) return waiter.giveUp()
          if (isStranger) strangers--
          const own = (reading.get(address) ?? 1) - 1
          if (own > 0) reading.set(address, own)
          else reading.delete(address)
          if (isRefused && !isProven) noteRefusal(address)
          admit()
        },
      }
    },
  }
}
