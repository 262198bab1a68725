import * as z from 'zod/mini'
import { contactCard } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { searchedTab } from '#shared/conversations/list/list-view.ts'
import { searchedBy } from '#shared/conversations/list/searched-by.ts'
import { unreadOf } from '#shared/conversations/reads.ts'
import type { ListMoment } from '#shared/views/meets.ts'
import { isOfMoment } from '#shared/views/list-filters.ts'
import { readPhone } from '#shared/text/phones/read-phone.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inSnapshot } from '#server/platform/database/db.ts'
import { endOfLog, EventFollower, type EventRow } from '#server/platform/database/events.ts'
import { maskFor } from '#server/platform/phones/hidden-phones.ts'
import type { PhoneReader } from '#server/platform/phones/searched-phones.ts'
import { reachKey } from '#server/platform/http/reach.ts'
import { EtagResponse } from '#server/platform/http/answers/etag-response.ts'
import { listReadCounts } from '#server/conversations/store/reads.ts'
import {
  entriesOf,
  hasReturned,
  type ListEntry,
  type ListView,
  patchEntries,
  readEntries,
  readEntriesOf,
} from './list-entries.ts'

/** `moment` is read when a filter asks for it. */
interface PageRequest extends Omit<ListView, 'moment'> {
  who: ListView['who'] & PhoneReader
  search: string
  page: number
  limit: number
}

/** The answers of `GET /api/conversations`, built once after each change and shared by all requests. */
export interface ListSnapshot {
  whole(view: Pick<ListView, 'who' | 'filters'>): Promise<EtagResponse>
  page(request: PageRequest): Promise<EtagResponse>
  stop(): void
}

interface Snapshot {
  /** The number of known changes when it was begun. */
  change: number
  /** When the whole list was last read. */
  readAtMs: number
  /** When the log was last checked for changes without a signal. */
  checkedAtMs: number
  follower: EventFollower
  /** Rows that a check of the log has returned, to be applied by the next patch. */
  unapplied: EventRow[]
  entries: ListEntry[]
  /** Built answers by page, limit and view; '' for the whole list. */
  answers: Answers
}

type Answers = Map<string, EtagResponse>

/** A change in another process whose NOTIFY was lost is missed for at most this time. */
const checkEveryMs = 1000
/** A change by hand in the database has no event, and is missed for at most this time. */
const maxAgeMs = 30_000
/** From this age on the whole list is read again in the background, so that no request waits for it. */
const refreshFromMs = 20_000
const maxAnswers = 500

/** Events without a conversation that change no row of the list. */
const irrelevantTypes = new Set(['queue_changed', 'gateway_state', 'session_ended'])
/** Events about a conversation that change only one person's own data, not the list. */
const personalTypes = new Set(['conversation_read', 'draft_changed'])

/**
 * An answer is as of its request, or later: a commit of this process is known before its caller is answered,
 * one of another process by NOTIFY, and at the latest after `checkEveryMs` by a check of the event log. An
 * unchanged list costs no query of the list's tables. A changed list is patched: only the conversations that
 * the log names are read again, and the positions of the others follow from the order. The list is the same
 * for everybody who knows of everything; a page of 'Minhas', and the list of whoever does not, are parts.
 * @see reliability §3.5
 */
export function createListSnapshot(database: Database): ListSnapshot {
  let change = 0
  let current: Snapshot | undefined
  /** Read in the background, to replace the current one. */
  let next: Snapshot | undefined
  let updating: Promise<Snapshot> | undefined
  let checking: Promise<boolean> | undefined
  let refreshing: Promise<void> | undefined
  const offs = (['events', 'ticks'] as const).map((channel) => database.signals.on(channel, () => change++))

  const update = async (): Promise<Snapshot> => {
    // A follower returns each row once, so a check at the same time would take rows away from this patch.
    while (checking) await checking
    const begunAtMs = performance.now()
    const latest = next ?? current
    const before = latest && begunAtMs - latest.readAtMs < maxAgeMs ? latest : undefined
    const begun = { change, checkedAtMs: begunAtMs }
    // When this fails, the rows that the follower has returned are lost, so it must not be used again.
    next = undefined
    current = undefined
    // inSnapshot may run this twice; the second time the whole list is read, for the same reason.
    let patchable = before
    const read = await inSnapshot(database, async (db) => {
      const from = patchable
      patchable = undefined
      return (from && (await patchSnapshot(db, from))) ?? readWhole(db)
    })
    return (current = { ...read, ...begun })
  }

  /** Ignores errors: once the current snapshot is too old, a request reads the list itself. */
  const refresh = () => {
    refreshing ??= inSnapshot(database, readWhole)
      .then(
        (read) => {
          next = read
          change++
        },
        () => undefined,
      )
      .finally(() => (refreshing = undefined))
  }

  /** Checks the log for changes without a signal. @returns whether there are none */
  const checkLog = async (snapshot: Snapshot): Promise<boolean> => {
    const found = await snapshot.follower.next(database)
    if (found?.length === 0) return true
    if (found) snapshot.unapplied.push(...found)
    else snapshot.readAtMs = -Infinity
    change++
    return false
  }

  const isUnchanged = async (snapshot: Snapshot): Promise<boolean> => {
    const now = performance.now()
    if (now - snapshot.readAtMs > maxAgeMs) return false
    if (now - snapshot.readAtMs > refreshFromMs) refresh()
    if (now - snapshot.checkedAtMs < checkEveryMs) return true
    snapshot.checkedAtMs = now
    return (checking = checkLog(snapshot).finally(() => (checking = undefined)))
  }

  const getFresh = async (): Promise<Snapshot> => {
    const requested = change
    const snapshot = current
    if (snapshot && snapshot.change === requested && (await isUnchanged(snapshot))) return snapshot
    for (;;) {
      // An update begun before the last change is awaited: two at once would only slow each other down.
      const updated = await (updating ??= update().finally(() => (updating = undefined)))
      if (updated.change >= requested) return updated
    }
  }

  return {
    async whole(asked) {
      const { answers, entries } = await getFresh()
      const view = { tab: undefined, order: 'start', ...asked } as const
      const build = (moment: ListMoment) =>
        `[${entriesOf(entries, { ...view, moment })
          .map(({ conversation }) => toJson(conversation))
          .join(',')}]`
      if (isOfMoment(asked.filters)) return new EtagResponse(build(await momentOf(database, asked)))
      return getAnswer(answers, viewKey(entries, view), () => build(noMoment))
    },
    async page(request) {
      const { answers, entries } = await getFresh()
      const build = (moment: ListMoment) => JSON.stringify(toPage(entries, { ...request, moment }))
      // What is listed then changes without a change of the rows.
      if (isOfMoment(request.filters)) return new EtagResponse(build(await momentOf(database, request)))
      return getAnswer(answers, keyOf(entries, request), () => build(noMoment))
    },
    stop: () => offs.forEach((off) => off()),
  }
}

const noMoment: ListMoment = { unread: () => 0, nowMs: 0 }

/** The clock of the database, and what the person has read. */
async function momentOf(database: Database, { who, filters }: Pick<ListView, 'who' | 'filters'>) {
  const [now, reads] = await Promise.all([
    appNow(database),
    filters.unread === undefined ? [] : listReadCounts(database, { userId: who.id }),
  ])
  const readOf = new Map(reads.map((read) => [read.conversationId, read]))
  const unread: ListMoment['unread'] = (row) => unreadOf(row, readOf.get(row.id))
  return { unread, nowMs: now.getTime() }
}

/** People of the same reach share answers but for what is theirs. */
const viewKey = (
  entries: readonly ListEntry[],
  { who, tab, filters }: Pick<ListView, 'who' | 'tab' | 'filters'>,
) => {
  const isOwn = tab === 'mine' || hasReturned(entries, who.id)
  return `${isOwn ? who.id : ''} ${reachKey(who)} ${JSON.stringify(filters)}`
}

const keyOf = (entries: readonly ListEntry[], { page, limit, search, tab, order, ...view }: PageRequest) => {
  // Who does not see numbers finds others by the same digits.
  const found = search.trim() !== '' && view.who.hidesPhones ? 'hidden' : ''
  return `${page} ${limit} ${tab} ${order} ${viewKey(entries, { tab, ...view })} ${found} ${search}`
}

/** The cached answer, or else a new one. */
function getAnswer(answers: Answers, key: string, build: () => string): EtagResponse {
  const known = answers.get(key)
  if (known) return known
  if (answers.size >= maxAnswers) answers.clear()
  const built = new EtagResponse(build())
  answers.set(key, built)
  return built
}

/** Reads the whole list, after the position in the log, so that no commit between the two is missed. */
async function readWhole(db: Db): Promise<Snapshot> {
  const readAtMs = performance.now()
  const follower = new EventFollower(await endOfLog(db))
  await follower.next(db)
  const entries = await readEntries(db)
  return { change: -1, readAtMs, checkedAtMs: readAtMs, follower, unapplied: [], entries, answers: new Map() }
}

/** @returns undefined when the log does not name the changed conversations, so that all must be read */
async function patchSnapshot(db: Db, before: Snapshot): Promise<Snapshot | undefined> {
  const found = await before.follower.next(db)
  if (!found) return undefined
  const relevant = [...before.unapplied, ...found].filter(({ type }) => !personalTypes.has(type))
  const changed = listChanged(relevant)
  if (!changed) return undefined
  // The list is unchanged, and so are the built answers.
  if (relevant.length === 0) return { ...before, unapplied: [] }
  const entries = patchEntries(before.entries, changed, await readEntriesOf(db, [...changed]))
  return { ...before, unapplied: [], entries, answers: new Map() }
}

/** A change leaves nearly all of thousands of rows as they are, and so their JSON. */
const jsons = new WeakMap<Conversation, string>()

function toJson(row: Conversation): string {
  const known = jsons.get(row)
  if (known !== undefined) return known
  const json = JSON.stringify(row)
  jsons.set(row, json)
  return json
}

/** The conversations that these events name; undefined when one of them may concern any conversation. */
function listChanged(events: EventRow[]): Set<number> | undefined {
  if (events.some(({ type, conversationId }) => conversationId === null && !irrelevantTypes.has(type)))
    return undefined
  return new Set(events.map(({ conversationId }) => conversationId).filter((id) => id !== null))
}

/** What a search compares, as the person sees it. */
const searched = z.object({ contact: contactCard })

function toPage(entries: readonly ListEntry[], request: PageRequest & { moment: ListMoment }) {
  const { page, limit, search } = request
  const ofTab = entriesOf(entries, { ...request, tab: request.tab && searchedTab(request.tab, search) })
  const read = readPhone(search)
  const isSearched = searchedBy(search, 'phone' in read ? read.phone : undefined)
  const mask = maskFor(request.who, searched)
  const listed =
    search.trim() === '' ? ofTab : ofTab.filter(({ conversation }) => isSearched(mask(conversation)))
  const conversations = listed.slice((page - 1) * limit, page * limit).map(({ conversation }) => conversation)
  return { conversations, pagination: toPagination(request, listed.length) }
}

function toPagination({ page, limit }: PageRequest, totalItems: number) {
  const totalPages = Math.max(1, Math.ceil(totalItems / limit))
  return { currentPage: page, itemsPerPage: limit, totalItems, totalPages, hasNextPage: page < totalPages }
}
