import type { Instance } from './state.ts'

/** What the world needs of whatever posts its webhooks. */

export interface Emission {
  /** 'messages.upsert' */
  event: string
  data: unknown
  /** Events of one lane keep their order. */
  lane: string
  /** Portuguese, for the register. */
  detail: string
  waId?: string
  delayMs?: number
  /** Beside `data` in the body. */
  top?: Record<string, unknown>
}

export interface WebhookSender {
  /**
   * Queues an event as Evolution would: only if the instance's webhook is on and asks for it; the faults are applied here.
   * Journaled before it returns. The promise settles when it was tried once, or when it will never be.
   */
  emit(instance: Instance, emission: Emission): Promise<void>
  /** Posts any body, unfiltered and without faults. */
  inject(instance: Instance, event: string, body: Record<string, unknown>): Promise<void>
  /** Takes up what the journal says was not accepted. */
  resume(): void
  /** Tries everything that waits for a retry now. */
  retryNow(): void
  /** How many webhooks are on their way, not counting those that wait for a retry. */
  countActive(): number
}
