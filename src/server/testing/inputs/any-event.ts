import type { NewEvent } from '#server/schema/platform/live.ts'

/** An event of any type, such as one that a later version logs. */
export function anyEvent(type: string, more: Record<string, unknown> = {}): NewEvent {
  return { type, ...more } as unknown as NewEvent
}
