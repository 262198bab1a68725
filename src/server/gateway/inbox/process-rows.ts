import type { SQL } from 'drizzle-orm'
import {
  type Database,
  inSavepoint,
  inTransaction,
  isDatabaseDown,
  isWorthRepeating,
  type Tx,
} from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'
import {
  type ClaimedHead,
  claimOne,
  forgetBody,
  lockHeads,
  markProcessed,
  noteFailure,
  setAside,
} from './claims.ts'
import { Aside, type EventHandlers, type EventResult, forget } from './event-handlers.ts'

/** What the processing of rows uses. */
export interface Processing {
  database: Database
  log: Log
  handlers: EventHandlers
}

/**
 * Processes rows together: those of the first number in the transaction that claims them, those of each
 * further number in another one. A transaction that took the locks of contacts for several numbers would take
 * them in another order than other batches do, since a contact may write to several.
 * @param claim claims the rows in an open transaction
 * @returns the rows that need a transaction of their own, in the order of their arrival
 */
export async function processTogether(
  processing: Processing,
  claim: (db: Tx) => Promise<ClaimedHead[]>,
): Promise<ClaimedHead[]> {
  const { database, log, handlers } = processing
  let claimed: ClaimedHead[] = []
  let others: ClaimedHead[][] = []
  let left: ClaimedHead[]
  try {
    left = await inTransaction(database, async (db) => {
      claimed = []
      claimed = await claim(db)
      const [first = [], ...rest] = Map.groupBy(claimed, (row) => row.instanceId).values()
      others = rest
      return processInOne(db, first, handlers)
    })
  } catch (error) {
    if (isDatabaseDown(error) || claimed.length === 0) throw error
    // Processed one by one, the row that fails shows itself and does not hold up the others.
    log.warn({ err: error, rows: claimed.length }, 'inbox batch failed')
    return claimed
  }
  for (const rows of others) left.push(...(await processReleased(processing, rows)))
  return left.toSorted((a, b) => a.id - b.id)
}

/** Processes the rows of a further number, whose locks ended with the transaction of the first one. */
async function processReleased(
  { database, log, handlers }: Processing,
  rows: ClaimedHead[],
): Promise<ClaimedHead[]> {
  if (rows.length < 2) return rows
  try {
    return await inTransaction(database, async (db) => {
      const locked = await lockHeads(
        db,
        rows.map(({ id }) => id),
      )
      return processInOne(
        db,
        rows.filter(({ id }) => locked.has(id)),
        handlers,
      )
    })
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    log.warn({ err: error, rows: rows.length }, 'inbox batch failed')
    return rows
  }
}

/**
 * Processes locked rows of one number in the open transaction.
 * @returns those that need a transaction of their own
 */
async function processInOne(db: Tx, rows: ClaimedHead[], handlers: EventHandlers): Promise<ClaimedHead[]> {
  const [first] = rows
  if (!first) return []
  const done = new Set<number>()
  const single: { id: number; event: GatewayEvent }[] = []
  for (const { id, events } of rows) {
    // It is set aside in a transaction of its own.
    if (asideIn(events) !== undefined) continue
    if (events.every((event) => event.kind === 'ignored')) done.add(id)
    else if (events.length === 1 && events[0]) single.push({ id, event: events[0] })
  }
  const events = single.map(({ event }) => event)
  const results = events.length === 0 ? [] : await handlers.many(db, first.instanceId, events)
  for (const [n, { id }] of single.entries()) if (results[n]) done.add(id)
  await markProcessed(db, [...done])
  return rows.filter(({ id }) => !done.has(id))
}

/**
 * Processes one row in a transaction of its own. When it fails, that is noted, and it is tried again later.
 * @param knownEvents as in `claimOne`
 * @returns whether there was one
 */
export function processOne(
  { database, log, handlers }: Processing,
  which: SQL,
  knownEvents?: GatewayEvent[],
): Promise<boolean> {
  return inTransaction(database, async (outer) => {
    const claimed = await claimOne(outer, which, knownEvents)
    if (!claimed) return false
    try {
      const results = await inSavepoint(outer, async (db) => {
        const all: EventResult[] = []
        for (const event of claimed.events) all.push(await handlers.one(db, claimed.instanceId, event))
        return all
      })
      if (results.includes(forget)) await forgetBody(outer, claimed.id)
      const aside = asideIn(claimed.events) ?? results.find((result) => result instanceof Aside)?.reason
      await (aside === undefined ? markProcessed(outer, [claimed.id]) : setAside(outer, claimed.id, aside))
    } catch (error) {
      if (isDatabaseDown(error) || isWorthRepeating(error)) throw error
      log.error({ err: error, inboxId: claimed.id }, 'inbox event failed')
      await noteFailure(outer, claimed, error)
    }
    return true
  })
}

/** Why the body of these events is kept aside; undefined when it is not. */
function asideIn(events: readonly GatewayEvent[]): string | undefined {
  for (const event of events) if (event.kind === 'ignored' && event.isAside) return event.reason
  return undefined
}
