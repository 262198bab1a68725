import type { Instance } from './state.ts'

/** The interface through which the world posts webhooks. */

export interface Emission {
  /** 'messages.upsert' */
  event: string
  data: unknown
  /** Events of one lane are posted in order. */
  lane: string
  /** Portuguese, for the log. */
  detail: string
  waId?: string
  delayMs?: number
  /** Fields beside `data` in the body. */
  top?: Record<string, unknown>
}

export interface WebhookSender {
  /**
   * Queues an event as Evolution would: only if the instance's webhook is enabled and subscribed to it.
   * Applies the faults. Journaled before it returns. Resolves after the first attempt, or when there will be
   * none.
   */
  emit(instance: Instance, emission: Emission): Promise<void>
  /** Posts any body, ignoring filters and faults. */
  inject(instance: Instance, event: string, body: Record<string, unknown>): Promise<void>
  /** Queues what the journal shows as not accepted. */
  resume(): void
  /** Loses everything that is queued or waits for a retry, as a restart of the gateway does. */
  forget(): void
  /** Whether the gateway reads nothing from the instance's socket until a webhook is delivered. */
  isHolding(instance: string): boolean
  /** Retries everything that waits for a retry, now. */
  retryNow(): void
  /** Number of webhooks queued or in flight, without those waiting for a retry. */
  countActive(): number
}
