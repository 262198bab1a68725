import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '#shared/errors.ts'
import { unreadableFile } from '#shared/text/contacts/unreadable-file.ts'
import type { FileFacts } from './read-file.ts'
import { type Reason, Unreadable } from './refusal.ts'

/** What a reading thread says. After each piece of lines it waits for a message. */
export type Said =
  | { kind: 'lines'; bytes: Uint8Array }
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'unreadable'; reason: Reason }

/** The largest file that is taken is read in a third of it on a slow machine. In milliseconds. */
const mostMs = 60_000
/** Of the thread alone. What is outside of the heap is limited where it is allocated. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 }

export interface Reading {
  /**
   * The rows in the kept form, which must be taken to the end.
   * @throws AppError 422 when the file cannot be read
   */
  lines: AsyncIterable<Uint8Array>
  /** Once the lines were taken. */
  facts(): FileFacts
}

/**
 * Reads a file of somebody else in a thread, which may take memory and time only within bounds: a workbook of
 * some kilobytes can unpack to gigabytes. A process reads one file after the other.
 */
export function readForeign(path: string): Reading {
  let facts: FileFacts | undefined
  async function* lines() {
    const leave = await enter()
    const worker = new Worker(new URL('reading-thread.ts', import.meta.url), {
      workerData: { path },
      resourceLimits,
    })
    try {
      for await (const said of messagesOf(worker)) {
        if (said.kind === 'unreadable') throw new Unreadable(said.reason)
        if (said.kind === 'facts') facts = said.facts
        else {
          yield said.bytes
          worker.postMessage('next')
        }
      }
    } catch (error) {
      throw refusalOf(error)
    } finally {
      await worker.terminate()
      leave()
    }
  }
  return {
    lines: lines(),
    facts() {
      if (!facts) throw new Error('the file was not read to its end')
      return facts
    },
  }
}

/** Until the facts. */
async function* messagesOf(worker: Worker): AsyncGenerator<Said> {
  const deadline = AbortSignal.timeout(mostMs)
  const events = on(worker, 'message', { signal: deadline, close: ['exit'] }) as AsyncIterable<[Said]>
  for await (const [said] of events) {
    yield said
    if (said.kind === 'facts') return
  }
  throw new Error('a reading thread ended before its file')
}

/** What a file is too large for is a refusal; other errors are faults of ours. */
function refusalOf(error: unknown): unknown {
  if (error instanceof Unreadable) return unreadable(error.reason)
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const isTime = error instanceof Error && error.name === 'AbortError'
  return isMemory || isTime ? unreadable({ name: 'tooLarge' }) : error
}

/** 422, with the reason. */
export const unreadable = (reason: Reason) =>
  new AppError('imports.unreadable', {
    values: {
      reason:
        'given' in reason ? unreadableFile[reason.name](reason.given as never) : unreadableFile[reason.name],
    },
  })

let last: Promise<void> = Promise.resolve()

/** Waits for its turn. @returns what ends it */
async function enter(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const before = last
  last = before.then(() => promise)
  await before
  return resolve
}
