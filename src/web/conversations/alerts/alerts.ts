/** Decides which tone rings, from the previous state, a change and the time. @see specification §4 Sounds */
import type { Conversation } from '#shared/conversations/conversations.ts'

export type Tone = 'newConversation' | 'statusChange' | 'threeNotes'
export interface Ring {
  tone: Tone
  volume: number
}

type Watched = Pick<Conversation, 'id' | 'status' | 'waitingFor'>

export interface AlertState {
  /**
   * The last known state of each conversation; undefined until the first load. All states share one mutable
   * map, since it is long.
   */
  known: Map<number, Watched> | undefined
  lastRingAtMs: number
  lastStatusRingAtMs: number
}

export type AlertChange =
  /**
   * The whole list as it is now. `isSilent` after a reload or a resync: changes that were missed do not ring.
   */
  | { kind: 'list'; rows: readonly Watched[]; isSilent: boolean }
  /** One pushed row. `sound` is the tone for a new conversation. */
  | { kind: 'row'; row: Watched; sound: 'pushed' | 'none' | 'ordinary' }

export const noAlerts: AlertState = {
  known: undefined,
  lastRingAtMs: -Infinity,
  lastStatusRingAtMs: -Infinity,
}

const overlapGuardMs = 600
const statusThrottleMs = 3000
const volumes = { pushed: 0.9, ordinary: 1 }

/** @param isOnList whether the operator sees the list of active conversations */
export function alertFor(
  state: AlertState,
  change: AlertChange,
  nowMs: number,
  isOnList: boolean,
): { state: AlertState; ring?: Ring } {
  if (change.kind === 'list') return judgeList(state, change.rows, change.isSilent, nowMs, isOnList)
  const { known } = state
  if (!known) return { state }
  const before = known.get(change.row.id)
  known.set(change.row.id, change.row)
  const hasEnded = change.row.status === 'completed'
  if (!before && (hasEnded || change.sound === 'none')) return { state }
  const volume = change.sound === 'pushed' ? volumes.pushed : volumes.ordinary
  return judge(state, !before, hasTurned(before, change.row), volume, nowMs, isOnList)
}

function judgeList(
  state: AlertState,
  rows: readonly Watched[],
  isSilent: boolean,
  nowMs: number,
  isOnList: boolean,
) {
  // Conversations that leave the list stay known, so that each rings as new only once.
  const known = state.known ?? new Map<number, Watched>()
  const next = state.known ? state : { ...state, known }
  let isNew = false
  let isTurned = false
  for (const row of rows) {
    const before = known.get(row.id)
    if (before === row) continue
    isNew ||= !before
    isTurned ||= hasTurned(before, row)
    known.set(row.id, row)
  }
  if (next !== state || isSilent) return { state: next }
  return judge(next, isNew, isTurned, volumes.ordinary, nowMs, isOnList)
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
