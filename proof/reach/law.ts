import { expectedOutcome, flagsOf, meets, type Outcome } from '../access/law/expected.ts'
import { type Row, rowsOfCall } from '../access/law/table.ts'
import type { Reader } from './people.ts'

// Who knows of which conversation, as it was decided, written without a line of the server's.

/** A sector, by its letter; null: 'Sem setor'. */
export type Sector = 'A' | 'B' | null

/** How a conversation stands to the person for whom it was made. */
export const states = [
  'in the queue',
  'mine',
  "a colleague's",
  "a colleague's, in which I wrote",
  "completed, a colleague's",
  "completed, a colleague's, in which I wrote",
  "completed, a colleague's, at which I looked",
  'completed, mine',
] as const
export type State = (typeof states)[number]

/** What decides of a conversation. */
export interface Facts {
  sector: Sector
  /** The first of two, which everybody has, or the second. */
  number: 1 | 2
  state: State
  /** For whom it was made, by the place among the readers; undefined: for everybody alike. */
  owner: number | undefined
}

export const isCompleted = ({ state }: Facts) => state.startsWith('completed')
export const isHeldBy = (n: number, { state, owner }: Facts) =>
  owner === n && (state === 'mine' || state === 'completed, mine')

/** Administrators know of everything; supervisors and leads have at least 'Do setor'. */
function scopeOf({ role, scope, membership }: Reader): Reader['scope'] {
  if (role === 'admin') return 'all'
  const isAtLeastSector = role === 'supervisor' || membership === 'lead of A'
  return isAtLeastSector && scope === 'own' ? 'sector' : scope
}

const sectorsOf = ({ membership }: Reader): readonly Sector[] =>
  membership === 'none' ? [] : membership === 'A and B' ? ['A', 'B'] : ['A']

export type Knowledge = 'whole' | 'card' | 'none'

/** What a person knows of a conversation. @param n the person's place among the readers */
export function knows(reader: Reader, n: number, talk: Facts): Knowledge {
  const { sector, number, state, owner } = talk
  if (reader.role !== 'admin' && reader.isOfOneNumber && number !== 1) return 'none'
  const scope = scopeOf(reader)
  if (scope === 'all' || isHeldBy(n, talk)) return 'whole'
  // Finished: those that were ever theirs, or in which they wrote; looking is not enough.
  if (isCompleted(talk) && owner === n && state.endsWith('in which I wrote')) return 'whole'
  const isLead = reader.membership === 'lead of A'
  // 'Sem setor' is seen by those with 'Todas', and by leads.
  if (sector === null) return isLead ? 'whole' : 'none'
  if (!sectorsOf(reader).includes(sector)) return 'none'
  if (scope === 'sector') return 'whole'
  return state === 'in the queue' ? 'card' : 'none'
}

/** Whether a person reads a conversation: also by flags, and completed ones of others by one more. */
export function reads(reader: Reader, n: number, talk: Facts): boolean {
  const flags = flagsOf(reader)
  if (!flags.has('canViewConversations') || knows(reader, n, talk) !== 'whole') return false
  return !isCompleted(talk) || isHeldBy(n, talk) || flags.has('canViewArchivedConversations')
}

/** From whose queues 'Assumir próxima' takes: those of one's sectors; with 'Todas' and none, every one. */
export function takesFrom(reader: Reader, { sector, number, state }: Facts): boolean {
  if (state !== 'in the queue') return false
  if (reader.role !== 'admin' && reader.isOfOneNumber && number !== 1) return false
  const seesAll = scopeOf(reader) === 'all'
  if (seesAll && reader.membership === 'none') return true
  if (sector === null) return seesAll || reader.membership === 'lead of A'
  return sectorsOf(reader).includes(sector)
}

/** The row that decides about a call of a conversation, and the one that is enough for one's own. */
export interface Deciding {
  row: Row
  enough?: Row | undefined
}

const kindOf = ({ id }: Row) => id.replaceAll(/\{\w[\w ]*\}/g, '{}')

/** What a call is answered with: 404 for whoever may make it of something else, and does not read this. */
export function answerTo(
  reader: Reader,
  { row, enough }: Deciding,
  found: { isRead: boolean; permitted: Outcome },
): Outcome {
  if (found.isRead)
    return expectedOutcome(reader, { row, needs: enough, sight: 'anybody', permitted: found.permitted })
  const alike = rowsOfCall(row).filter((one) => kindOf(one) === kindOf(row))
  return alike.some((one) => meets(reader, one)) ? 404 : 403
}
