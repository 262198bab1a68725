import { freeShortcut } from '#shared/quick-replies/free-shortcut.ts'
import { mostReplies } from '#shared/quick-replies/managed-replies.ts'
import { fold } from '#shared/text/fold.ts'
import type { ReadFile } from './read-file.ts'

/** A prepared text of a file, and what becomes of it. */
export interface Planned {
  shortcut: string
  /** '' of what does not come. */
  text: string
  state: 'new' | 'renamed' | 'there' | 'refused'
  notes: string[]
}

interface Known {
  shortcut: string
  text: string
}

/**
 * What comes of a file where there are these replies already: what is there with the same text does not come
 * again, and what has a shortcut that is taken gets a number behind it.
 */
export function planImport({ replies, refused }: ReadFile, there: readonly Known[]): Planned[] {
  const taken = new Set(there.map(({ shortcut }) => fold(shortcut)))
  const said = new Set(there.map(keyOf))
  let room = mostReplies - there.length
  const planned = replies.map((reply): Planned => {
    const { shortcut, text, notes } = reply
    if (said.has(keyOf(reply))) return { shortcut, text: '', state: 'there', notes: ['já existe'] }
    if (room <= 0) return { shortcut, text: '', state: 'refused', notes: [`só cabem ${mostReplies}`] }
    room -= 1
    said.add(keyOf(reply))
    const free = freeShortcut(taken, shortcut)
    if (free === shortcut) return { shortcut, text, state: 'new', notes }
    return { shortcut: free, text, state: 'renamed', notes: [`/${shortcut} já existe`, ...notes] }
  })
  return [
    ...planned,
    ...refused.map(({ shortcut, reason }): Planned => {
      return { shortcut, text: '', state: 'refused', notes: [reason] }
    }),
  ]
}

const keyOf = ({ shortcut, text }: Known) => `${fold(shortcut)} ${text}`
