/** Decides which tone rings, from the previous state, a change and the time. @see specification §4 Sounds */
import type { Conversation } from '#shared/conversations/conversations.ts'

export type Tone = 'newConversation' | 'statusChange' | 'threeNotes' | 'followUp'
export interface Ring {
  tone: Tone
  volume: number
}

type Watched = Pick<
  Conversation,
  'id' | 'status' | 'waitingFor' | 'assignedUserId' | 'contactMessageCount' | 'returnedAt'
>

/** Who hears it, and what they see. */
interface Listener {
  userId: number
  /** Whether the list of active conversations is on the screen. */
  isOnList: boolean
  /** The chat in front of them: a further message in it needs no sound. */
  viewedId?: number | undefined
}

export interface AlertState {
  /**
   * The last known state of each conversation; undefined until the first load. All states share one mutable
   * map, since it is long.
   */
  known: Map<number, Watched> | undefined
  lastRingAtMs: number
  lastStatusRingAtMs: number
  lastFollowUpAtMs: number
}

export type AlertChange =
  /**
   * The whole list as it is now. `isSilent` after a reload or a resync: changes that were missed do not ring.
   */
  | { kind: 'list'; rows: readonly Watched[]; isSilent: boolean }
  /** One pushed row. `sound` is the tone for a new conversation; 'silent' for whatever has changed. */
  | { kind: 'row'; row: Watched; sound: 'pushed' | 'none' | 'ordinary' | 'silent' }

export const noAlerts: AlertState = {
  known: undefined,
  lastRingAtMs: -Infinity,
  lastStatusRingAtMs: -Infinity,
  lastFollowUpAtMs: -Infinity,
}

const overlapGuardMs = 600
/** The least time between two changes of turn, and between two further messages. */
const throttleMs = 3000
const volumes = { pushed: 0.9, ordinary: 1 }

interface News {
  isNew: boolean
  isTurned: boolean
  isFollowUp: boolean
}

export function alertFor(
  state: AlertState,
  change: AlertChange,
  nowMs: number,
  listener: Listener,
): { state: AlertState; ring?: Ring } {
  if (change.kind === 'list') return judgeList(state, change.rows, change.isSilent, nowMs, listener)
  const { known } = state
  if (!known) return { state }
  const before = known.get(change.row.id)
  known.set(change.row.id, change.row)
  const hasEnded = change.row.status === 'completed'
  if (change.sound === 'silent' || (!before && (hasEnded || change.sound === 'none'))) return { state }
  const volume = change.sound === 'pushed' ? volumes.pushed : volumes.ordinary
  return judge(state, newsOf(before, change.row, listener), volume, nowMs, listener)
}

function judgeList(
  state: AlertState,
  rows: readonly Watched[],
  isSilent: boolean,
  nowMs: number,
  listener: Listener,
) {
  // Conversations that leave the list stay known, so that each rings as new only once.
  const known = state.known ?? new Map<number, Watched>()
  const next = state.known ? state : { ...state, known }
  const all: News = { isNew: false, isTurned: false, isFollowUp: false }
  for (const row of rows) {
    const before = known.get(row.id)
    if (before === row) continue
    const news = newsOf(before, row, listener)
    all.isNew ||= news.isNew
    all.isTurned ||= news.isTurned
    all.isFollowUp ||= news.isFollowUp
    known.set(row.id, row)
  }
  if (next !== state || isSilent) return { state: next }
  return judge(next, all, volumes.ordinary, nowMs, listener)
}

function judge(
  state: AlertState,
  { isNew, isTurned, isFollowUp }: News,
  volume: number,
  nowMs: number,
  { isOnList }: Listener,
): { state: AlertState; ring?: Ring } {
  if (nowMs - state.lastRingAtMs < overlapGuardMs) return { state }
  const rung = { ...state, lastRingAtMs: nowMs }
  if (isNew) return { state: rung, ring: { tone: isOnList ? 'newConversation' : 'threeNotes', volume } }
  if (isTurned && nowMs - state.lastStatusRingAtMs >= throttleMs)
    return {
      state: { ...rung, lastStatusRingAtMs: nowMs },
      ring: { tone: 'statusChange', volume: volumes.ordinary },
    }
  if (isFollowUp && nowMs - state.lastFollowUpAtMs >= throttleMs)
    return {
      state: { ...rung, lastFollowUpAtMs: nowMs },
      ring: { tone: 'followUp', volume: volumes.ordinary },
    }
  return { state }
}

function newsOf(before: Watched | undefined, after: Watched, { userId, viewedId }: Listener): News {
  if (!before) return { isNew: true, isTurned: false, isFollowUp: false }
  const isTurned =
    (before.status === 'waiting' && after.status === 'active') ||
    (before.waitingFor === 'client' && after.waitingFor === 'operator') ||
    // Back from hold.
    (before.returnedAt === undefined && after.returnedAt !== undefined && after.assignedUserId === userId)
  const isMine = before.assignedUserId === userId && after.assignedUserId === userId
  return {
    isNew: false,
    isTurned,
    isFollowUp:
      isMine && !isTurned && after.contactMessageCount > before.contactMessageCount && after.id !== viewedId,
  }
}
