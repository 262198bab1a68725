import type { Conversation } from '#shared/conversations/conversations.ts'
import { type ListMoment, meets } from '#shared/views/meets.ts'
import { isFiltered, type ListFilters } from '#shared/views/list-filters.ts'
import {
  compareBy,
  isBackFor,
  isInTab,
  type ListOrder,
  type ListTab,
} from '#shared/conversations/list/list-view.ts'
import type { Db } from '#server/platform/database/db.ts'
import { reachesEverything, reachOf, type Reader } from '#server/platform/http/reach.ts'
import { listEntryRows, listEntryRowsAfter } from '#server/conversations/store/rows.ts'
import { asCard, toConversation } from '#server/conversations/store/serializers.ts'

/** An open conversation, with the values that determine its place in the list. */
export interface ListEntry {
  conversation: Conversation
  isQueued: boolean
  /** Microseconds since 1970, the resolution of the database. */
  startedAtUs: number
}

/** Rows of a long list are read in parts, so that other requests are served in between. */
const partSize = 500

/** All entries of the list, in order. Must be called in a snapshot, since it may take several statements. */
export async function readEntries(db: Db): Promise<ListEntry[]> {
  const entries: ListEntry[] = []
  for (;;) {
    const last = entries.at(-1)
    const rows = await listEntryRowsAfter(db, {
      startedAtUs: last?.startedAtUs ?? Number.MIN_SAFE_INTEGER,
      id: last?.conversation.id ?? 0,
      limit: partSize,
    })
    for (const row of rows) entries.push(toEntry(row))
    if (rows.length < partSize) return numberQueue(entries.sort(compareEntries))
  }
}

/** The given conversations that are open, in no particular order and without queue positions. */
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
 * The list after a change of some conversations. Unchanged entries remain the same objects.
 * @param entries in order
 * @param changed ids of all conversations that may have changed, been opened or been completed
 * @param read the current entries of those in `changed` that are open
 */
export function patchEntries(
  entries: readonly ListEntry[],
  changed: ReadonlySet<number>,
  read: readonly ListEntry[],
): ListEntry[] {
  const kept = entries.filter(({ conversation }) => !changed.has(conversation.id))
  return numberQueue(merge(kept, read.toSorted(compareEntries)))
}

/** Queued conversations by the time they have waited, longest first; then the others, newest start first. */
function compareEntries(a: ListEntry, b: ListEntry): number {
  if (a.isQueued !== b.isQueued) return a.isQueued ? -1 : 1
  const later = a.startedAtUs - b.startedAtUs || a.conversation.id - b.conversation.id
  return a.isQueued ? later : -later
}

/** The entries in each other order, by the entries in order; sorted once after each change. */
const sorted = new WeakMap<readonly ListEntry[], Map<ListOrder, readonly ListEntry[]>>()

function sortedBy(entries: readonly ListEntry[], order: ListOrder): readonly ListEntry[] {
  if (order === 'start') return entries
  const known = sorted.get(entries) ?? new Map<ListOrder, readonly ListEntry[]>()
  sorted.set(entries, known)
  const before = known.get(order)
  if (before) return before
  const compare = compareBy[order]
  const result = entries.toSorted(({ conversation: a }, { conversation: b }) => compare(a, b))
  known.set(order, result)
  return result
}

/** Which of the open conversations are listed, and in which order. */
export interface ListView {
  /** undefined: of every tab. */
  tab: ListTab | undefined
  order: ListOrder
  filters: ListFilters
  /** What a filter asks that the list does not know. */
  moment: ListMoment
  /**
   * Whose conversations 'mine' are. Only what is within their reach; of the queue of their sectors also what
   * they see as a card.
   */
  who: Reader
}

/**
 * The entries of a tab, in the given order, after what has returned from hold to the person.
 * @param entries in order of start
 */
export function entriesOf(entries: readonly ListEntry[], view: ListView): readonly ListEntry[] {
  const found = inOrder(entries, view)
  if (!hasReturned(entries, view.who.id)) return found
  const isBack = ({ conversation }: ListEntry) => isBackFor(conversation, view.who.id)
  return [...found.filter(isBack), ...found.filter((entry) => !isBack(entry))]
}

/** The people to whom something has returned from hold, by the entries. */
const returned = new WeakMap<readonly ListEntry[], Set<number | null>>()

/** Whether something among the entries has returned from hold to the person. */
export function hasReturned(entries: readonly ListEntry[], userId: number): boolean {
  let known = returned.get(entries)
  if (!known) {
    const back = entries.filter(({ conversation }) => conversation.returnedAt !== undefined)
    known = new Set(back.map(({ conversation }) => conversation.assignedUserId))
    returned.set(entries, known)
  }
  return known.has(userId)
}

function inOrder(
  entries: readonly ListEntry[],
  { tab, order, filters, moment, who }: ListView,
): readonly ListEntry[] {
  // Of a card a filter finds no more than it shows.
  const reached = reachesEverything(who) ? entries : entries.flatMap((entry) => seenBy(who, entry))
  if (!isFiltered(filters)) {
    if (tab === undefined) return sortedBy(reached, order)
    if (tab === 'all') return sortedBy(awakeOf(reached), order)
  }
  // A part has few of them: sorting these costs less than sorting all.
  return sortedBy(
    reached.filter(
      ({ conversation }) =>
        (tab === undefined || isInTab(conversation, tab, who.id, filters.snoozed)) &&
        meets(conversation, filters, moment),
    ),
    order,
  )
}

/** The entries that are not on hold, kept so that they are sorted once; most lists have no others. */
const awake = new WeakMap<readonly ListEntry[], readonly ListEntry[]>()

function awakeOf(entries: readonly ListEntry[]): readonly ListEntry[] {
  const known = awake.get(entries)
  if (known) return known
  const kept = entries.filter(({ conversation }) => isInTab(conversation, 'all', undefined))
  const found = kept.length === entries.length ? entries : kept
  awake.set(entries, found)
  return found
}

/** What the person sees of an entry. */
function seenBy(who: Reader, entry: ListEntry): ListEntry[] {
  const reach = reachOf(who, { ...entry.conversation, peopleIds: [] })
  if (reach === 'none') return []
  return reach === 'whole' ? [entry] : [{ ...entry, conversation: asCard(entry.conversation) }]
}

/** Merges two sorted lists, by binary search for each entry of the short one. */
function merge(long: readonly ListEntry[], short: readonly ListEntry[]): ListEntry[] {
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

/** The number of entries that precede this one, at least `low`. */
function placeOf(entry: ListEntry, entries: readonly ListEntry[], low: number): number {
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareEntries(entries[middle] as ListEntry, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Sets the positions in each queue: what is queued comes first in the list, in the order of all queues. */
function numberQueue(entries: ListEntry[]): ListEntry[] {
  const lengths = new Map<number, number>()
  for (const [at, entry] of entries.entries()) {
    if (!entry.isQueued) break
    const { queueId } = entry.conversation
    const queuePosition = (lengths.get(queueId) ?? 0) + 1
    lengths.set(queueId, queuePosition)
    if (entry.conversation.queuePosition !== queuePosition)
      entries[at] = { ...entry, conversation: { ...entry.conversation, queuePosition } }
  }
  return entries
}
