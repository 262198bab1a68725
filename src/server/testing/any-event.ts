import type { NewEvent } from '../schema/live.ts'

/** An event of a type of the test's own, as a later version may log it. */
export function anyEvent(type: string, more: Record<string, unknown> = {}): NewEvent {
  return { type, ...more } as unknown as NewEvent
}
