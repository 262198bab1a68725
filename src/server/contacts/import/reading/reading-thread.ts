import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { keptLine } from './kept-rows.ts'
import { readFile } from './read-file.ts'
import type { Said } from './reading.ts'
import { Unreadable } from './refusal.ts'

// What the thread runs that reads one file of somebody else. See `reading.ts`.

/** In UTF-16 units. */
const pieceLength = 256 * 1024

const port = parentPort
if (!port) throw new Error('this is no program of its own')
const say = (said: Said) => port.postMessage(said)

let pending = ''
/** The next piece is read only once this one was taken. */
async function send(): Promise<void> {
  say({ kind: 'lines', bytes: Buffer.from(pending) })
  pending = ''
  await once(port as NonNullable<typeof port>, 'message')
}

try {
  const rows = readFile((workerData as { path: string }).path)
  let next = await rows.next()
  for (; !next.done; next = await rows.next()) {
    pending += keptLine(next.value)
    if (pending.length >= pieceLength) await send()
  }
  if (pending !== '') await send()
  say({ kind: 'facts', facts: next.value })
} catch (error) {
  if (!(error instanceof Unreadable)) throw error
  say({ kind: 'unreadable', reason: error.reason })
}
port.unref()
