/** Which tone rings. Pure: what was, what is, and the clock. @see specification §4 Sounds */
import type { Conversation } from '#shared/conversations.ts'

export type Tone = 'newConversation' | 'statusChange' | 'threeNotes'
export interface Ring {
  tone: Tone
  volume: number
}

type Watched = Pick<Conversation, 'id' | 'status' | 'waitingFor'>

export interface AlertState {
  /** What is known of each conversation; undefined until the first load. */
  known: ReadonlyMap<number, Watched> | undefined
  lastRingAtMs: number
  lastStatusRingAtMs: number
}

export type AlertNews =
  /** The whole list as it stands now; `isSilent` after a reload or a resync: nothing old rings. */
  | { kind: 'list'; rows: readonly Watched[]; isSilent: boolean }
  /** One row told by push; `sound` is what the push asks for when the conversation is new. */
  | { kind: 'row'; row: Watched; sound: 'pushed' | 'none' | 'ordinary' }

export const noAlerts: AlertState = {
  known: undefined,
  lastRingAtMs: -Infinity,
  lastStatusRingAtMs: -Infinity,
}

const overlapGuardMs = 600
const statusThrottleMs = 3000
const volumes = { pushed: 0.9, ordinary: 1 }

/** @param isOnList whether the list of active conversations is in front of the operator */
export function alertFor(
  state: AlertState,
  news: AlertNews,
  nowMs: number,
  isOnList: boolean,
): { state: AlertState; ring?: Ring } {
  if (news.kind === 'list') return judgeList(state, news.rows, news.isSilent, nowMs, isOnList)
  if (!state.known) return { state }
  const known = remember(state.known, [news.row])
  const before = state.known.get(news.row.id)
  if (!before && news.sound === 'none') return { state: { ...state, known } }
  const volume = news.sound === 'pushed' ? volumes.pushed : volumes.ordinary
  return judge({ ...state, known }, !before, hasTurned(before, news.row), volume, nowMs, isOnList)
}

function judgeList(
  state: AlertState,
  rows: readonly Watched[],
  isSilent: boolean,
  nowMs: number,
  isOnList: boolean,
) {
  const before = state.known
  const known = remember(before ?? new Map<number, Watched>(), rows)
  if (!before || isSilent) return { state: { ...state, known } }
  const isNew = rows.some((row) => !before.has(row.id))
  const isTurned = rows.some((row) => hasTurned(before.get(row.id), row))
  return judge({ ...state, known }, isNew, isTurned, volumes.ordinary, nowMs, isOnList)
}

function judge(
  state: AlertState,
  isNew: boolean,
  isTurned: boolean,
  volume: number,
  nowMs: number,
  isOnList: boolean,
): { state: AlertState; ring?: Ring } {
  if (nowMs - state.lastRingAtMs < overlapGuardMs) return { state }
  if (isNew) {
    const tone = isOnList ? 'newConversation' : 'threeNotes'
    return { state: { ...state, lastRingAtMs: nowMs }, ring: { tone, volume } }
  }
  if (!isTurned || nowMs - state.lastStatusRingAtMs < statusThrottleMs) return { state }
  return {
    state: { ...state, lastRingAtMs: nowMs, lastStatusRingAtMs: nowMs },
    ring: { tone: 'statusChange', volume: volumes.ordinary },
  }
}

function hasTurned(before: Watched | undefined, after: Watched): boolean {
  if (!before) return false
  return (
    (before.status === 'waiting' && after.status === 'active') ||
    (before.waitingFor === 'client' && after.waitingFor === 'operator')
  )
}

/** What left the list stays known, so that a conversation rings as new once. */
function remember(known: ReadonlyMap<number, Watched>, rows: readonly Watched[]): Map<number, Watched> {
  const next = new Map(known)
  for (const { id, status, waitingFor } of rows) next.set(id, { id, status, waitingFor })
  return next
}
