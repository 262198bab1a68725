import type { Conversation } from '#shared/conversations.ts'
import type { Database } from '#server/platform/db.ts'
import { endOfLog, EventFollower } from '#server/platform/events.ts'
import { Tagged } from '#server/platform/tagged.ts'
import { countOpen, listOpenRows } from './rows.ts'
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
  madeAtMs: number
  lookedAtMs: number
  follower: EventFollower
  rows: Conversation[]
  /** What was asked of it, finished: by page, limit and search, or '' for the whole list. */
  answers: Map<string, Promise<Tagged>>
}

/** A change elsewhere whose NOTIFY was lost is hidden no longer than this. */
const lookEveryMs = 1000
/** A change by hand in the database has no event. */
const maxAgeMs = 30_000
const maxAnswers = 500

/**
 * Whoever asks gets what was true when he asked: a commit of this process is heard of before its caller is answered, one
 * of another process by NOTIFY, and at the latest a second later by a look at the event log. An unchanged list costs
 * its callers no look at the tables of the list. The list is the same for everybody who may see it.
 * @see reliability §3.5
 */
export function createListSnapshot(database: Database): ListSnapshot {
  let change = 0
  let current: Snapshot | undefined
  let making: Promise<Snapshot> | undefined
  const stop = database.wake.on('events', () => change++)

  const make = async (): Promise<Snapshot> => {
    const begun = { change, madeAtMs: performance.now(), lookedAtMs: performance.now() }
    // The place in the log first: what is committed after it and is in the list already costs a look, never a change.
    const follower = new EventFollower(await endOfLog(database))
    await follower.next(database)
    const rows = (await listOpenRows(database)).map(toConversation)
    current = { ...begun, follower, rows, answers: new Map() }
    return current
  }

  const isUnchanged = async (snapshot: Snapshot): Promise<boolean> => {
    const now = performance.now()
    if (now - snapshot.madeAtMs > maxAgeMs) return false
    if (now - snapshot.lookedAtMs < lookEveryMs) return true
    snapshot.lookedAtMs = now
    if ((await snapshot.follower.next(database))?.length === 0) return true
    change++
    return false
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

  const answer = async (key: string, build: (snapshot: Snapshot) => unknown): Promise<Tagged> => {
    const snapshot = await fresh()
    const known = snapshot.answers.get(key)
    if (known) return known
    if (snapshot.answers.size >= maxAnswers) snapshot.answers.clear()
    const built = Promise.resolve(build(snapshot)).then((value) => new Tagged(JSON.stringify(value)))
    snapshot.answers.set(key, built)
    built.catch(() => snapshot.answers.delete(key))
    return built
  }

  return {
    whole: () => answer('', ({ rows }) => rows),
    page: (asked) =>
      answer(`${asked.page} ${asked.limit} ${asked.search}`, ({ rows }) => pageOf(database, asked, rows)),
    stop,
  }
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
