import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Applied, firstHistory, firstVersion } from './first-history.ts'

export const ourMigrations: string = join(import.meta.dirname, '..', '..', 'migrations')

export interface Migration extends Applied {
  /** `0000_baseline` */
  tag: string
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

/** @returns whether this program can make the tables of that version: 0.1.0, or one of its migrations */
export const knowsSchema = (version: number): boolean => tagged(version) !== undefined

/** The name of the newest migration of a version that this program knows: `0000_baseline`. */
export const tagOf = (version: number): string => tagged(version)?.tag ?? String(version)

const tagged = (version: number): { tag: string } | undefined =>
  [...firstHistory.filter(({ when }) => when === firstVersion), ...readMigrations()].find(
    ({ when }) => when === version,
  )

/** From one version of the schema to a later one. */
export interface Step {
  /** 0: there is no table yet. */
  after?: number
  upTo: number
}

/** The migrations of a step, in their order. */
export function migrationsOf({ after = 0, upTo }: Step, folder: string = ourMigrations): Migration[] {
  const all = readMigrations(folder)
  const made = (version: number) => (version === firstVersion ? (all[0]?.when ?? 0) : version)
  return all.filter(({ when }) => when > made(after) && when <= made(upTo))
}

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
