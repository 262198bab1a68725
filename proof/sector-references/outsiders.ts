import { type Reader, readers } from '../reach/people.ts'
import { type Facts, knows, type State } from '../reach/law.ts'
import type { Kind } from '../references/thing.ts'

/** Those of whom most do not know of the conversations of other sectors. */
export const outsiders: readonly Reader[] = readers.filter(
  ({ role, scope, membership }) => role !== 'admin' && scope !== 'all' && membership !== 'A and B',
)

/** Where conversations are of which they know nothing. */
export interface Place {
  name: string
  sector: Facts['sector']
  number: Facts['number']
  isQueued: boolean
}

export const places: readonly Place[] = [
  { name: 'of another sector', sector: 'B', number: 1, isQueued: false },
  { name: 'in the queue of another sector', sector: 'B', number: 1, isQueued: true },
  { name: "a colleague's of sector A", sector: 'A', number: 1, isQueued: false },
  { name: 'without a sector', sector: null, number: 1, isQueued: false },
  { name: 'of sector A, at another number', sector: 'A', number: 2, isQueued: false },
]

/** What the law says of a thing of the kind; of what is gone nobody knows. */
export function isKnown({ sector, number, isQueued }: Place, kind: Kind, n: number): boolean {
  if (kind === 'deleted' || kind === 'never') return false
  const open: State = isQueued ? 'in the queue' : "a colleague's"
  const state = kind === 'archived' ? "completed, a colleague's" : open
  return knows(outsiders[n] as Reader, n, { sector, number, state, owner: undefined }) !== 'none'
}
