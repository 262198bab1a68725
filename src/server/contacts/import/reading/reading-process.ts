import { once } from 'node:events'
import { setPriority } from 'node:os'
import process, { argv } from 'node:process'
import { keptLine } from './kept-rows.ts'
import { readFile } from './read-file.ts'
import type { Said } from './reading.ts'
import { Unreadable } from './refusal.ts'

// What the process runs that reads one file of somebody else. See `reading.ts`.

/** In UTF-16 units. */
const pieceLength = 256 * 1024

const say = (said: Said) =>
  new Promise<void>((resolve, reject) => {
    if (!process.send) throw new Error('this is no program of its own')
    process.send(said, (error: Error | null) => (error ? reject(error) : resolve()))
  })

// It gives way to the program, which passes messages on meanwhile; not so far that a large file of a busy
// team would come to the end of its time.
setPriority(5)

let pending = ''
/** The next piece is read only once this one was taken. */
async function send(): Promise<void> {
  const taken = once(process, 'message')
  await say({ kind: 'lines', bytes: Buffer.from(pending) })
  pending = ''
  await taken
}

try {
  const rows = readFile(argv[2] ?? '')
  let next = await rows.next()
  for (; !next.done; next = await rows.next()) {
    pending += keptLine(next.value)
    if (pending.length >= pieceLength) await send()
  }
  if (pending !== '') await send()
  await say({ kind: 'facts', facts: next.value })
} catch (error) {
  if (!(error instanceof Unreadable)) throw error
  await say({ kind: 'unreadable', reason: error.reason })
}
process.disconnect()
