import { inflateRawSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'

// Telephone numbers wherever they may stand in what leaves the server.

/** How many digits of a number, side by side, must not be told. */
const tellingDigits = 7
/** Of the last nine digits of a number: those that are nobody else's. */
const ownDigits = 9

/** Parts of all numbers that the installation knows of, each of seven digits. */
export type Parts = ReadonlySet<string>

/** The numbers of all clients, living and deleted, under which they were ever known. */
export async function readParts(database: Database): Promise<Parts> {
  const found = await rows<{ phone: string }>(
    database,
    sql`select phone from contacts where phone is not null
        union select value from contact_identities where kind = 'phone'
        union select undo #>> '{merged,phone}' from contact_merges where undo #>> '{merged,phone}' is not null
        union select regexp_replace(phone, '[^0-9]', '', 'g') from companies where phone is not null`,
  )
  const parts = new Set<string>()
  for (const { phone } of found) {
    const own = phone.slice(-ownDigits)
    for (let from = 0; from + tellingDigits <= own.length; from++)
      parts.add(own.slice(from, from + tellingDigits))
  }
  return parts
}

/** Digits, also those that signs set apart. */
const digitsApart = /\d(?:[\s().+\p{Pd}\p{Cf}]{0,3}\d){6,}/gu
/** Moments, and digests in hex: any digits may come side by side in them. */
const others = /\b\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{32,}\b/g

/** Where in a text there is a part of a number, with what stands around it. */
export function tellsIn(text: string, parts: Parts): string[] {
  const plain = text.normalize('NFKC').replace(others, '*')
  const told: string[] = []
  for (const match of plain.matchAll(digitsApart)) {
    const digits = match[0].replaceAll(/\D/g, '')
    for (let from = 0; from + tellingDigits <= digits.length; from++)
      if (parts.has(digits.slice(from, from + tellingDigits))) {
        told.push(plain.slice(Math.max(0, match.index - 60), match.index + match[0].length + 30))
        break
      }
  }
  return told
}

const localHeader = 0x04034b50

/** The files of a ZIP, such as a spreadsheet, one after the other; any other bytes as text. */
export function textOf(bytes: Buffer): string {
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== localHeader) return bytes.toString('utf8')
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const texts: string[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let n = bytes.readUInt16LE(end + 10); n > 0; n--) {
    const [size, name, extra, comment] = [20, 28, 30, 32].map((offset, index) =>
      index === 0 ? bytes.readUInt32LE(at + offset) : bytes.readUInt16LE(at + offset),
    ) as [number, number, number, number]
    const method = bytes.readUInt16LE(at + 10)
    const header = bytes.readUInt32LE(at + 42)
    const from = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
    const packed = bytes.subarray(from, from + size)
    texts.push(bytes.toString('utf8', at + 46, at + 46 + name))
    texts.push((method === 0 ? packed : inflateRawSync(packed)).toString('utf8'))
    at += 46 + name + extra + comment
  }
  return texts.join('\n')
}
