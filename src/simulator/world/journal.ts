import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * A file of JSON lines, written synchronously: after `append` has returned, the entry survives a `kill -9`.
 */
export interface Journal<Entry> {
  append(entry: Entry): void
  close(): void
}

// It contains instance tokens and messages.
const privateMode = 0o600

function* readLines(file: string): Generator<{ text: string; isWhole: boolean }> {
  const descriptor = openSync(file, 'r')
  try {
    const chunk = Buffer.alloc(1 << 20)
    let rest: Buffer[] = []
    for (;;) {
      const length = readSync(descriptor, chunk, 0, chunk.length, null)
      if (length === 0) break
      let start = 0
      for (let end = chunk.indexOf(10, 0); end !== -1 && end < length; end = chunk.indexOf(10, start)) {
        yield { text: Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8'), isWhole: true }
        rest = []
        start = end + 1
        if (start >= length) break
      }
      if (start < length) rest.push(Buffer.from(chunk.subarray(start, length)))
    }
    if (rest.length > 0) yield { text: Buffer.concat(rest).toString('utf8'), isWhole: false }
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The entries of the file in order; none for a missing file. An incomplete last line (the process died while
 * writing it, so nothing was acknowledged) is skipped.
 * @throws Error naming the line, when any other line cannot be parsed.
 */
export function* readJournal<Entry>(file: string): Generator<Entry> {
  if (!existsSync(file)) return
  let number = 0
  for (const { text, isWhole } of readLines(file)) {
    number += 1
    if (!isWhole) return
    if (text.trim() === '') continue
    let entry: Entry
    try {
      entry = JSON.parse(text)
    } catch (cause) {
      throw new Error(`${file}: line ${number} is not JSON`, { cause })
    }
    yield entry
  }
}

function writeLine(descriptor: number, entry: unknown) {
  const line = Buffer.from(`${JSON.stringify(entry)}\n`)
  // writeSync may write less than requested.
  for (let written = 0; written < line.length;)
    written += writeSync(descriptor, line, written, line.length - written)
}

/** Replaces the file atomically. */
export function rewriteJournal<Entry>(file: string, entries: Iterable<Entry>): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.new`
  const descriptor = openSync(draft, 'w', privateMode)
  for (const entry of entries) writeLine(descriptor, entry)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(draft, file)
}

/** Opens the file for appending; without a file, entries are discarded. */
export function openJournal<Entry>(file: string | undefined): Journal<Entry> {
  if (file === undefined) return { append: () => undefined, close: () => undefined }
  mkdirSync(dirname(file), { recursive: true })
  let descriptor: number | undefined = openSync(file, 'a', privateMode)
  return {
    append: (entry) => {
      if (descriptor !== undefined) writeLine(descriptor, entry)
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }
}
