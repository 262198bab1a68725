import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ourMigrations: string = join(import.meta.dirname, '..', '..', 'migrations')

export interface Migration {
  /** Milliseconds since 1970; identifies the migration in the database. */
  when: number
  /** `0032_maintenance` */
  tag: string
  /** SHA-256 of the file, hexadecimal. */
  hash: string
  sql: string
}

/** In their order. */
export function readMigrations(folder: string = ourMigrations): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { when: number; tag: string }[]
  }
  return journal.entries.map(({ when, tag }) => {
    const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return { when, tag, sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
}

/** The time of the newest migration of this program, in milliseconds: the version of the schema. */
export const schemaVersion: number = Math.max(...readMigrations().map(({ when }) => when))

/** @returns whether this program has a migration of that time, so that it knows the schema of that version */
export const knowsSchema = (version: number): boolean => readMigrations().some(({ when }) => when === version)

/** The name of the newest migration of a version that this program knows: `0032_maintenance`. */
export const tagOf = (version: number): string =>
  readMigrations().find(({ when }) => when === version)?.tag ?? String(version)

/** The extensions that the migrations create with CREATE EXTENSION. */
export function neededExtensions(folder: string = ourMigrations): string[] {
  const found = statementsOf(folder).flatMap((text) => [
    ...text.matchAll(/create\s+extension\s+(?:if\s+not\s+exists\s+)?"?([\w-]+)"?/gi),
  ])
  return [...new Set(found.map((match) => match[1] ?? ''))]
}

type ObjectKind = 'table' | 'sequence' | 'function'

/** What the migrations have ever created in `public`, without what belongs to a table; the latest first. */
export function createdObjects(): { kind: ObjectKind; name: string }[] {
  const found = statementsOf(ourMigrations).flatMap((text) => [
    ...text.matchAll(/create\s+(?:or\s+replace\s+)?(table|sequence|function)\s+(?:"public"\.)?"?(\w+)"?/gi),
  ])
  const named = new Map<string, { kind: ObjectKind; name: string }>()
  for (const [, kind = '', name = ''] of found)
    named.set(`${kind} ${name}`.toLowerCase(), { kind: kind.toLowerCase() as ObjectKind, name })
  return [...named.values()].toReversed()
}

/** The texts of the migrations without their comments. */
const statementsOf = (folder: string): string[] =>
  readMigrations(folder).map((migration) => migration.sql.replaceAll(/--.*$/gm, ''))
