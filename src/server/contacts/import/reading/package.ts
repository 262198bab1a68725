import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Unreadable } from './refusal.ts'

/** The parts of a workbook, which is a ZIP file. */
export interface Package {
  /** @returns the bytes of a part; undefined when there is none of that name */
  read(name: string): AsyncIterable<Uint8Array> | undefined
  close(): void
}

/** In bytes, of all parts together. Counted while unpacking: what the directory says may be wrong. */
const mostUnpacked = 512 * 1024 * 1024
/** A workbook has some dozens. */
const mostParts = 10_000

/** @throws Unreadable */
export async function openPackage(path: string): Promise<Package> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
    throw new Unreadable({ name: 'incomplete' })
  })
  const parts = new Map<string, Entry>()
  try {
    if (zip.entryCount > mostParts) throw new Unreadable({ name: 'tooLarge' })
    for await (const entry of zip.eachEntry()) {
      const key = keyOf(entry.fileName)
      if (parts.has(key)) throw new Unreadable({ name: 'noWorkbook' })
      parts.set(key, entry)
    }
  } catch (error) {
    zip.close()
    throw error instanceof Unreadable ? error : new Unreadable({ name: 'incomplete' })
  }
  const budget = { left: mostUnpacked }
  return {
    read(name) {
      const entry = parts.get(keyOf(name))
      return entry && unpack(zip, entry, budget)
    },
    close: () => zip.close(),
  }
}

/** Names of parts differ in more than their case. */
const keyOf = (name: string) => name.replace(/^\/+/, '').toLowerCase()

async function* unpack(zip: ZipFile, entry: Entry, budget: { left: number }): AsyncGenerator<Uint8Array> {
  let sum = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      const bytes = chunk as Buffer
      budget.left -= bytes.length
      if (budget.left < 0) throw new Unreadable({ name: 'tooLarge' })
      sum = crc32(bytes, sum)
      yield bytes
    }
    // The library compares sizes only.
    if (sum !== entry.crc32) throw new Unreadable({ name: 'incomplete' })
  } catch (error) {
    // Of the package: sizes or sums that are wrong, an unknown compression, a password.
    throw error instanceof Unreadable ? error : new Unreadable({ name: 'incomplete' })
  }
}
