import { setTimeout } from 'node:timers/promises'
import type { Conversation } from '#shared/conversations.ts'
import { type Database, type Db, inSnapshot } from '#server/platform/db.ts'
import { endOfLog, EventFollower, type EventRow } from '#server/platform/events.ts'
import { Tagged } from '#server/platform/tagged.ts'
import { countOpen, listConversationRows, listOpenPlaces, listOpenRows } from './rows.ts'
import { toConversation } from './wire.ts'

interface Page {
  page: number
  limit: number
  search: string
}

/** The open conversations as `GET /api/conversations` answers them, made once a change and shared by all who ask. */
export interface ListSnapshot {
  whole(): Promise<Tagged>
  page(asked: Page): Promise<Tagged>
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
  rows: Conversation[]
  /** What was asked of it, finished: by page, limit and search, or '' for the whole list. */
  answers: Map<string, Promise<Tagged>>
}

/** A change elsewhere whose NOTIFY was lost is hidden no longer than this. */
const lookEveryMs = 1000
/** A change by hand in the database has no event. */
const maxAgeMs = 30_000
const maxAnswers = 500
/** However many ask while much changes: those of this time share one answer. */
const restMs = 200

/** What the log says beside conversations and leaves every row of the list as it is. */
const isOfNoRow = new Set(['queue_changed', 'gateway_state'])
/** Of one person's own: it leaves the list as it is, whichever conversation it names. */
const isPersonal = new Set(['conversation_read', 'draft_changed'])

/**
 * Whoever asks gets what was true when he asked, or later: a commit of this process is heard of before its caller is
 * answered, one of another process by NOTIFY, and at the latest a second later by a look at the event log. An unchanged
 * list costs its callers no look at the tables of the list; of a changed one only what the log names is read again.
 * The list is the same for everybody who may see it.
 * @see reliability §3.5
 */
export function createListSnapshot(database: Database): ListSnapshot {
  let change = 0
  let current: Snapshot | undefined
  let making: Promise<Snapshot> | undefined
  let looking: Promise<boolean> | undefined
  let begunAtMs = -Infinity
  const offs = (['events', 'ticks'] as const).map((channel) => database.signals.on(channel, () => change++))

  const make = async (): Promise<Snapshot> => {
    await setTimeout(Math.max(0, begunAtMs + restMs - performance.now()))
    // Two at once would each miss what the follower told the other.
    while (looking) await looking
    begunAtMs = performance.now()
    const before = current && begunAtMs - current.readAtMs < maxAgeMs ? current : undefined
    const begun = { change, lookedAtMs: begunAtMs, heard: [], answers: new Map<string, Promise<Tagged>>() }
    // A follower that has gone ahead of the rows it told of must not be asked again.
    current = undefined
    const read = await inSnapshot(database, async (db) => {
      // The place in the log first: what is committed after it and is in the list already costs a look, never a change.
      const follower = before?.follower ?? new EventFollower(await endOfLog(db))
      const heard = await follower.next(db)
      const news = before && heard && [...before.heard, ...heard]
      if (before && news?.length && news.every(({ type }) => isPersonal.has(type)))
        return { follower, readAtMs: before.readAtMs, rows: before.rows, answers: before.answers }
      const changed = news && changedBy(news)
      if (before && changed)
        return { follower, readAtMs: before.readAtMs, rows: await readAgain(db, before.rows, changed) }
      return { follower, readAtMs: begunAtMs, rows: (await listOpenRows(db)).map(toConversation) }
    })
    return (current = { ...begun, ...read })
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
    if (now - snapshot.lookedAtMs < lookEveryMs) return true
    snapshot.lookedAtMs = now
    return (looking = look(snapshot).finally(() => (looking = undefined)))
  }

  const fresh = async (): Promise<Snapshot> => {
    const asked = change
    if (current && current.change === asked && (await isUnchanged(current))) return current
    for (;;) {
      // One that was begun before the last change is waited for, since two at once would only slow each other down.
      const made = await (making ??= make().finally(() => (making = undefined)))
      if (made.change >= asked) return made
    }
  }

  const answer = async (
    key: string,
    build: (snapshot: Snapshot) => string | Promise<string>,
  ): Promise<Tagged> => {
    const snapshot = await fresh()
    const known = snapshot.answers.get(key)
    if (known) return known
    if (snapshot.answers.size >= maxAnswers) snapshot.answers.clear()
    const built = Promise.resolve(build(snapshot)).then((json) => new Tagged(json))
    snapshot.answers.set(key, built)
    built.catch(() => snapshot.answers.delete(key))
    return built
  }

  return {
    whole: () => answer('', ({ rows }) => `[${rows.map(jsonOf).join(',')}]`),
    page: (asked) =>
      answer(`${asked.page} ${asked.limit} ${asked.search}`, async ({ rows }) =>
        JSON.stringify(await pageOf(database, asked, rows)),
      ),
    stop: () => offs.forEach((off) => off()),
  }
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

/** The list of now: those rows read again that have changed or are new, all in their order and places of now. */
async function readAgain(
  db: Db,
  known: Conversation[],
  changed: ReadonlySet<number>,
): Promise<Conversation[]> {
  const byId = new Map(known.filter(({ id }) => !changed.has(id)).map((row) => [row.id, row]))
  const places = await listOpenPlaces(db)
  const ids = places.map(({ id }) => id).filter((id) => !byId.has(id))
  const rows = ids.length > 0 ? await listConversationRows(db, ids) : []
  for (const row of rows) byId.set(row.conversation.id, toConversation(row))
  return places.flatMap(({ id, queuePosition }) => {
    const row = byId.get(id)
    return row ? [row.queuePosition === queuePosition ? row : { ...row, queuePosition }] : []
  })
}

/** A search is the database's: its letters fold in a way that is not ours to imitate. */
async function pageOf(database: Database, { page, limit, search }: Page, rows: Conversation[]) {
  const offset = (page - 1) * limit
  const [conversations, totalItems] =
    search.trim() === ''
      ? [rows.slice(offset, offset + limit), rows.length]
      : await Promise.all([
          listOpenRows(database, { limit, offset, search }).then((found) => found.map(toConversation)),
          countOpen(database, search),
        ])
  const totalPages = Math.max(1, Math.ceil(totalItems / limit))
  const hasNextPage = page < totalPages
  const pagination = { currentPage: page, itemsPerPage: limit, totalItems, totalPages, hasNextPage }
  return { conversations, pagination }
}
