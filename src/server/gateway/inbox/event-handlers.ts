import type { Tx } from '#server/platform/database/db.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'

/** The result of an event of which nothing may be kept, not even its body. */
export const forget = Symbol('forget')

/**
 * The effects of events. A parameter of the inbox worker, because the conversations' room comes after this
 * one: `app-work.ts` passes its `eventHandlers`, inside `ignoreAnonymized` of `maintenance`. Both functions
 * run in the open transaction.
 */
export interface EventHandlers {
  one(db: Tx, instanceId: number, event: GatewayEvent): Promise<typeof forget | void>
  /**
   * Handles those of many events, each of another lane, that it can handle together.
   * @returns for each event whether it is handled; an unhandled one has no effect
   */
  many(db: Tx, instanceId: number, events: GatewayEvent[]): Promise<boolean[]>
}
