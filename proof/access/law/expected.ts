import { isPerson, type Person, type Principal } from './principals.ts'
import { type Condition, type Row, rowsOfCall, table } from './table.ts'

// The law: what the permission table and the decisions D1 to D21 say that a call is answered with, computed
// without any code of the server.

/** An HTTP status, or what a socket or an answer with less in it shows. */
export type Outcome = number | 'frame' | 'no frame' | 'without'

/**
 * Who sees what a call is about: anybody who is signed in; readers of conversations, for an open one or one's
 * own; or readers of the archive, for a completed one of somebody else.
 */
export type Sight = 'anybody' | 'reader' | 'archive'

/** What is asked in a cell. */
export interface Question {
  row: Row
  sight: Sight
  /** What decides instead of the row's own condition. */
  needs?: Condition | undefined
  /** The answer to whoever may make the call: a success, or the error of a state that the case has. */
  permitted: Outcome | ((person: Person) => Outcome)
  /** The answer to whoever is signed in and may not, instead of a refusal. */
  refused?: Outcome | undefined
  /**
   * The row is about a part of the answer, which is given without it to whoever may make the call by another
   * row. With `needs`, the part asks for that besides the row's condition.
   */
  isPart?: boolean | undefined
}

/**
 * Administrators have every flag, whatever is stored. For others a stored record stands for the role's
 * defaults (D1), and messages of tracking are never theirs (D2).
 */
export function flagsOf({ role, record }: Person): ReadonlySet<string> {
  if (role === 'admin') return new Set(table.flags)
  const stored = record ?? table.defaults[role]
  const on = Object.keys(stored).filter((flag) => stored[flag])
  return new Set(on.filter((flag) => flag !== 'canViewTrackingMessages'))
}

export function meets(person: Person, { ceiling, flags }: Condition): boolean {
  const own = flagsOf(person)
  return ceiling.includes(person.role) && flags.every((group) => group.some((flag) => own.has(flag)))
}

function sees(person: Person, sight: Sight): boolean {
  const own = flagsOf(person)
  if (sight === 'anybody') return true
  if (!own.has('canViewConversations')) return false
  // D4: completed conversations of others are seen with this flag only.
  return sight === 'reader' || own.has('canViewArchivedConversations')
}

/**
 * `{open}` and `{completed}` are chosen by what the call finds, `(self)` and `(other)` by the call itself.
 */
const kindOf = (row: Row) => row.id.replaceAll(/\{\w[\w ]*\}/g, '{}')

const chosenAlike = (row: Row) => rowsOfCall(row).filter((one) => kindOf(one) === kindOf(row))

/**
 * The outcome that the table demands: no session 401; whoever may make the call about nothing at all 403,
 * before anything is looked up; not visible 404; visible, not permitted 403; permitted, what the case says.
 * @see decisions §2 'who may do what'
 */
export function expectedOutcome(principal: Principal, question: Question): Outcome {
  const { row, sight, needs, permitted, refused = 403, isPart } = question
  // D18: the gateway proves itself by its secret, and a person's session is none.
  if (row.path === '/api/webhook/evolution') return 401
  const given = (person: Person) => (typeof permitted === 'function' ? permitted(person) : permitted)
  if (!isPerson(principal)) return row.public && typeof permitted !== 'function' ? permitted : 401
  if (row.public) return given(principal)
  const isOwn = meets(principal, isPart ? row : (needs ?? row))
  if (isPart) {
    if (isOwn && (!needs || meets(principal, needs))) return given(principal)
    return rowsOfCall(row).some((one) => meets(principal, one)) ? 'without' : refused
  }
  if (isOwn) return sees(principal, sight) ? given(principal) : 404
  const mayAskAtAll = chosenAlike(row).some((one) => meets(principal, one))
  return mayAskAtAll && !sees(principal, sight) ? 404 : refused
}
