import type { Send, SentFile } from './sends.ts'

/** Longer than the longest time for which a send can be undone. */
const keptMs = 15_000

const kept = new Map<string, { file: SentFile; caption: string }>()

/** Keeps the file of a confirmed send for as long as it may be undone; only this page has it. */
export function keepSentFile({ clientMessageId, file, content }: Send): void {
  if (!file) return
  kept.set(clientMessageId, { file, caption: content })
  setTimeout(() => kept.delete(clientMessageId), keptMs)
}

/** The file of a send that was undone; undefined after a reload, or on another device. */
export function sentFileOf(clientMessageId: string | null) {
  return clientMessageId === null ? undefined : kept.get(clientMessageId)
}
