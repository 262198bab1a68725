import { keepWritten, readWritten } from './local-drafts.ts'

/** Moves text typed to a contact into the conversation that has begun, behind what is written there. */
export function moveWritten(userId: number, from: number | string, to: number): void {
  const written = readWritten(userId, from)
  if (!written) return
  const there = readWritten(userId, to)
  const content = [there?.content, written.content].filter(Boolean).join('\n')
  // It may have begun long ago, and have a draft on the server.
  keepWritten(userId, to, { ...(there ?? { ...written, isBlind: true }), content })
  keepWritten(userId, from, undefined)
}
