import type { Conversation } from '#shared/conversations.ts'
import type { Db } from '#server/platform/database/db.ts'
import { listEntryRows, listEntryRowsAfter } from '#server/conversations/store/rows.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'

/** An open conversation, with what decides its place in the list. */
export interface ListEntry {
  conversation: Conversation
  isQueued: boolean
  /** Microseconds since 1970, as exact as the database's clock. */
  startedAtUs: number
}

/** Rows read at a time, so that everybody else is served between two parts of a long list. */
const rowsAtOnce = 500

/** All entries of the list in their order. Call in a snapshot: a long list is read in several statements. */
export async function readEntries(db: Db): Promise<ListEntry[]> {
  const entries: ListEntry[] = []
  for (;;) {
    const last = entries.at(-1)
    const rows = await listEntryRowsAfter(db, {
      startedAtUs: last?.startedAtUs ?? Number.MIN_SAFE_INTEGER,
      id: last?.conversation.id ?? 0,
      limit: rowsAtOnce,
    })
    for (const row of rows) entries.push(toEntry(row))
    if (rows.length < rowsAtOnce) return numbered(entries.sort(compareEntries))
  }
}

/** Those of the conversations that are open, in no order and without places in the queue. */
export async function readEntriesOf(db: Db, ids: readonly number[]): Promise<ListEntry[]> {
  return (await listEntryRows(db, { ids })).map(toEntry)
}

function toEntry({
  isQueued,
  startedAtUs,
  ...row
}: Awaited<ReturnType<typeof listEntryRows>>[number]): ListEntry {
  return { conversation: toConversation({ ...row, queuePosition: null }), isQueued, startedAtUs }
}

/**
 * The list after a change of some conversations. Entries that stay as they are stay the same objects.
 * @param entries in their order
 * @param changed ids of all conversations that may have changed, appeared or been completed
 * @param read those of `changed` that are open, as they are now
 */
export function patchEntries(
  entries: readonly ListEntry[],
  changed: ReadonlySet<number>,
  read: readonly ListEntry[],
): ListEntry[] {
  const kept = entries.filter(({ conversation }) => !changed.has(conversation.id))
  return numbered(merged(kept, read.toSorted(compareEntries)))
}

/** Queued first, who waits longest on top; then the rest, newest start first. */
function compareEntries(a: ListEntry, b: ListEntry): number {
  if (a.isQueued !== b.isQueued) return a.isQueued ? -1 : 1
  const later = a.startedAtUs - b.startedAtUs || a.conversation.id - b.conversation.id
  return a.isQueued ? later : -later
}

/** Of two lists in order, one. */
function merged(long: readonly ListEntry[], short: readonly ListEntry[]): ListEntry[] {
  const result: ListEntry[] = []
  let from = 0
  for (const entry of short) {
    const to = placeOf(entry, long, from)
    for (; from < to; from++) result.push(long[from] as ListEntry)
    result.push(entry)
  }
  for (; from < long.length; from++) result.push(long[from] as ListEntry)
  return result
}

/** How many entries stand before this one, at least `low`. */
function placeOf(entry: ListEntry, entries: readonly ListEntry[], low: number): number {
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareEntries(entries[middle] as ListEntry, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The queue stands at the top, so that a place in it is a place in the list. */
function numbered(entries: ListEntry[]): ListEntry[] {
  for (const [at, entry] of entries.entries()) {
    if (!entry.isQueued) break
    const queuePosition = at + 1
    if (entry.conversation.queuePosition !== queuePosition)
      entries[at] = { ...entry, conversation: { ...entry.conversation, queuePosition } }
  }
  return entries
}
