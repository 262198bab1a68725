import type { Tx } from '#server/platform/database/db.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'

/** The result of an event of which nothing may be kept, not even its body. */
export const forget = Symbol('forget')

/** The result of an event that had no effect and whose body is kept for people to look at, and why. */
export class Aside {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

export type EventResult = typeof forget | Aside | void

/**
 * The effects of events. A parameter of the inbox worker, because the conversations' room comes after this
 * one: `app-work.ts` passes its `eventHandlers`, inside `ignoreAnonymized` of `maintenance`. Both functions
 * run in the open transaction.
 */
export interface EventHandlers {
  one(db: Tx, instanceId: number, event: GatewayEvent): Promise<EventResult>
  /**
   * Handles those of many events, each of another lane, that it can handle together.
   * @returns for each event whether it is handled; an unhandled one has no effect
   */
  many(db: Tx, instanceId: number, events: GatewayEvent[]): Promise<boolean[]>
}
