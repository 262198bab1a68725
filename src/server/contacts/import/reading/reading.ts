import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import { AppError } from '#shared/errors.ts'
import { unreadableFile } from '#shared/text/contacts/unreadable-file.ts'
import type { FileFacts } from './read-file.ts'
import { type Reason, Unreadable } from './refusal.ts'

/** What a reading process says. After each piece of lines it waits for a message. */
export type Said =
  | { kind: 'lines'; bytes: Uint8Array }
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'unreadable'; reason: Reason }

/** The largest file that is taken is read in a third of it on a slow machine. In milliseconds. */
const mostMs = 60_000
/** Of the process alone. What is outside of the heap is limited where it is allocated. */
const heapMiB = 128
const heap = [`--max-old-space-size=${heapMiB}`, '--max-semi-space-size=2']

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
 * Reads a file of somebody else in a process of its own, which may take memory and time only within bounds: a
 * workbook of some kilobytes can unpack to gigabytes. A thread would not do: V8 ends the whole program when
 * the heap of one of its threads is full at the wrong moment. Files are read one after the other.
 */
export function readForeign(path: string): Reading {
  let facts: FileFacts | undefined
  async function* lines() {
    const leave = await enter()
    const reader = fork(fileURLToPath(new URL('reading-process.ts', import.meta.url)), [path], {
      execArgv: heap,
      // No secret of the program is where foreign bytes are read.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    try {
      for await (const said of messagesOf(reader)) {
        if (said.kind === 'unreadable') throw new Unreadable(said.reason)
        if (said.kind === 'facts') facts = said.facts
        else {
          yield said.bytes
          if (reader.connected) reader.send('next')
        }
      }
      if (!facts) throw await endOf(reader)
    } catch (error) {
      throw error instanceof Unreadable ? unreadable(error.reason) : error
    } finally {
      reader.kill('SIGKILL')
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

/** Until the facts, or the end of the process. */
async function* messagesOf(reader: ChildProcess): AsyncGenerator<Said> {
  const deadline = setTimeout(() => reader.kill('SIGKILL'), mostMs)
  try {
    const events = on(reader, 'message', { close: ['disconnect', 'exit'] }) as AsyncIterable<[Said]>
    for await (const [said] of events) {
      yield said
      if (said.kind === 'facts') return
    }
  } finally {
    clearTimeout(deadline)
  }
}

/** How a process came to its end that has not said how: for want of memory or time, or by a fault of ours. */
async function endOf(reader: ChildProcess): Promise<Error> {
  if (reader.exitCode === null && reader.signalCode === null)
    await new Promise((resolve) => reader.once('exit', resolve))
  if (reader.signalCode === null) return new Error(`a reading process ended with ${reader.exitCode}`)
  return new Unreadable({ name: 'tooLarge' })
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
