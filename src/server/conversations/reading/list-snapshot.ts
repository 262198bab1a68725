import type { Conversation } from '#shared/conversations.ts'
import { type Database, type Db, inSnapshot } from '#server/platform/database/db.ts'
import { endOfLog, EventFollower, type EventRow } from '#server/platform/database/events.ts'
import { EtagResponse } from '#server/platform/http/etag-response.ts'
import { type ListEntry, patchEntries, readEntries, readEntriesOf } from './list-entries.ts'
import { countOpen, listOpenRows } from '#server/conversations/store/rows.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'

interface Page {
  page: number
  limit: number
  search: string
}

/** The open conversations as `GET /api/conversations` answers them, made once a change and shared by all who ask. */
export interface ListSnapshot {
  whole(): Promise<EtagResponse>
  page(asked: Page): Promise<EtagResponse>
  stop(): void
}

interface Snapshot {
  /** The count of changes heard of when it was begun. */
  change: number
  /** When all of it was last read. */
  readAtMs: number
  lookedAtMs: number
  follower: EventFollower
  /** Of the log, after it was made. */
  heard: EventRow[]
  entries: ListEntry[]
  /** What was asked of it, finished: by page, limit and search, or '' for the whole list. */
  answers: Answers
}

type Answers = Map<string, Promise<EtagResponse>>

/** A change elsewhere whose NOTIFY was lost is hidden no longer than this. */
const lookEveryMs = 1000
/** A change by hand in the database has no event, and is hidden no longer than this. */
const maxAgeMs = 30_000
/** From this age on all of it is read again beside the one that is served, so that nobody waits for it. */
const refreshFromMs = 20_000
const maxAnswers = 500

/** Events beside conversations that leave every row of the list as it is. */
const isOfNoRow = new Set(['queue_changed', 'gateway_state', 'session_ended'])
/** Of one person's own: it leaves the list as it is, whichever conversation it names. */
const isPersonal = new Set(['conversation_read', 'draft_changed'])

/**
 * Whoever asks gets what was true when he asked, or later: a commit of this process is heard of before its caller is
 * answered, one of another process by NOTIFY, and at the latest a second later by a look at the event log. An unchanged
 * list costs its callers no look at the tables of the list. A changed one is patched: only the conversations that the
 * log names are read again, and the places of the others follow from the order.
 * The list is the same for everybody who may see it.
 * @see reliability §3.5
 */
export function createListSnapshot(database: Database): ListSnapshot {
  let change = 0
  let current: Snapshot | undefined
  /** Read beside the current one, which it replaces. */
  let next: Snapshot | undefined
  let making: Promise<Snapshot> | undefined
  let looking: Promise<boolean> | undefined
  let refreshing: Promise<void> | undefined
  let searches = { change: -1, sinceMs: 0, answers: new Map() as Answers }
  const offs = (['events', 'ticks'] as const).map((channel) => database.signals.on(channel, () => change++))

  const make = async (): Promise<Snapshot> => {
    // Two at once would each miss what the follower told the other.
    while (looking) await looking
    const begunAtMs = performance.now()
    const latest = next ?? current
    const before = latest && begunAtMs - latest.readAtMs < maxAgeMs ? latest : undefined
    const begun = { change, lookedAtMs: begunAtMs }
    // A follower that has gone ahead of the rows it told of must not be asked again.
    next = undefined
    current = undefined
    let patchable = before
    const made = await inSnapshot(database, async (db) => {
      const from = patchable
      patchable = undefined
      return (from && (await patched(db, from))) ?? readWhole(db)
    })
    return (current = { ...made, ...begun })
  }

  /** Never fails: whoever asks when the current one is too old reads it again himself. */
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

  /** Looks at the log, for a change that nobody said. */
  const look = async (snapshot: Snapshot): Promise<boolean> => {
    const heard = await snapshot.follower.next(database)
    if (heard?.length === 0) return true
    if (heard) snapshot.heard.push(...heard)
    else snapshot.readAtMs = -Infinity
    change++
    return false
  }

  const isUnchanged = async (snapshot: Snapshot): Promise<boolean> => {
    const now = performance.now()
    if (now - snapshot.readAtMs > maxAgeMs) return false
    if (now - snapshot.readAtMs > refreshFromMs) refresh()
    if (now - snapshot.lookedAtMs < lookEveryMs) return true
    snapshot.lookedAtMs = now
    return (looking = look(snapshot).finally(() => (looking = undefined)))
  }

  const fresh = async (): Promise<Snapshot> => {
    const asked = change
    const snapshot = current
    if (snapshot && snapshot.change === asked && (await isUnchanged(snapshot))) return snapshot
    for (;;) {
      // One that was begun before the last change is waited for, since two at once would only slow each other down.
      const made = await (making ??= make().finally(() => (making = undefined)))
      if (made.change >= asked) return made
    }
  }

  /** Where answers to searches are kept: a search does not wait for a changed list, since the database answers it. */
  const answersOfSearch = async (): Promise<Answers> => {
    const snapshot = current
    if (snapshot && snapshot.change === change && (await isUnchanged(snapshot))) return snapshot.answers
    fresh().catch(() => undefined)
    const now = performance.now()
    if (searches.change !== change || now - searches.sinceMs > lookEveryMs)
      searches = { change, sinceMs: now, answers: new Map() }
    return searches.answers
  }

  return {
    async whole() {
      const { answers, entries } = await fresh()
      return answered(
        answers,
        '',
        () => `[${entries.map(({ conversation }) => jsonOf(conversation)).join(',')}]`,
      )
    },
    async page(asked) {
      if (asked.search.trim() !== '')
        return answered(await answersOfSearch(), keyOf(asked), async () =>
          JSON.stringify(await searchedPage(database, asked)),
        )
      const { answers, entries } = await fresh()
      return answered(answers, keyOf(asked), () => JSON.stringify(pageOf(entries, asked)))
    },
    stop: () => offs.forEach((off) => off()),
  }
}

const keyOf = ({ page, limit, search }: Page) => `${page} ${limit} ${search}`

async function answered(
  answers: Answers,
  key: string,
  build: () => string | Promise<string>,
): Promise<EtagResponse> {
  const known = answers.get(key)
  if (known) return known
  if (answers.size >= maxAnswers) answers.clear()
  const built = Promise.resolve(build()).then((json) => new EtagResponse(json))
  answers.set(key, built)
  built.catch(() => answers.delete(key))
  return built
}

/** All of the list; the place in the log first, so that a commit between the two is seen twice and never missed. */
async function readWhole(db: Db): Promise<Snapshot> {
  const readAtMs = performance.now()
  const follower = new EventFollower(await endOfLog(db))
  await follower.next(db)
  const entries = await readEntries(db)
  return { change: -1, readAtMs, lookedAtMs: readAtMs, follower, heard: [], entries, answers: new Map() }
}

/** @returns undefined when the log does not say which conversations have changed: all must be read */
async function patched(db: Db, before: Snapshot): Promise<Snapshot | undefined> {
  const told = await before.follower.next(db)
  if (!told) return undefined
  const news = [...before.heard, ...told].filter(({ type }) => !isPersonal.has(type))
  const changed = changedBy(news)
  if (!changed) return undefined
  // Nothing for the list: what was asked of it holds.
  if (news.length === 0) return { ...before, heard: [] }
  const entries = patchEntries(before.entries, changed, await readEntriesOf(db, [...changed]))
  return { ...before, heard: [], entries, answers: new Map() }
}

/** Of thousands of rows a change leaves nearly all as they were. */
const jsons = new WeakMap<Conversation, string>()

function jsonOf(row: Conversation): string {
  const known = jsons.get(row)
  if (known !== undefined) return known
  const json = JSON.stringify(row)
  jsons.set(row, json)
  return json
}

/** The conversations that the rows of the log speak of; undefined when one of them may be about any. */
function changedBy(heard: EventRow[]): Set<number> | undefined {
  if (heard.some(({ type, conversationId }) => conversationId === null && !isOfNoRow.has(type)))
    return undefined
  return new Set(heard.map(({ conversationId }) => conversationId).filter((id) => id !== null))
}

function pageOf(entries: ListEntry[], asked: Page) {
  const offset = (asked.page - 1) * asked.limit
  const conversations = entries.slice(offset, offset + asked.limit).map(({ conversation }) => conversation)
  return { conversations, pagination: paginationOf(asked, entries.length) }
}

/** A search is the database's: its letters fold in a way that is not ours to imitate. */
async function searchedPage(database: Database, asked: Page) {
  const { page, limit, search } = asked
  const [rows, totalItems] = await Promise.all([
    listOpenRows(database, { limit, offset: (page - 1) * limit, search }),
    countOpen(database, search),
  ])
  return { conversations: rows.map(toConversation), pagination: paginationOf(asked, totalItems) }
}

function paginationOf({ page, limit }: Page, totalItems: number) {
  const totalPages = Math.max(1, Math.ceil(totalItems / limit))
  return { currentPage: page, itemsPerPage: limit, totalItems, totalPages, hasNextPage: page < totalPages }
}
