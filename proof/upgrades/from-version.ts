import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#server/platform/database/db.ts'
import { firstVersion, readSchemaState, tagOf } from '#server/platform/database/migrate.ts'
import type { Program } from '../support/program.ts'
import { archiveByFirst, type Archives, lookAtArchives } from './archives.ts'
import { catalogDifferences, readCatalog } from './catalog.ts'
import { differences, lasting, readStored, removedColumns, type Stored } from './compare.ts'
import { migrateByFirst } from './first-version.ts'
import {
  command,
  computed,
  get,
  hashOfFile,
  makeBackup,
  type Place,
  readEverything,
  signIn,
  start,
  startAndDie,
} from './installation.ts'
import type { OtherVersion } from '../support/other-version.ts'
import { operatorToken, seed, type Seeded } from './seed.ts'

/** What was found, by what was looked at. */
export interface Found {
  checks: Record<Check, number>
  faults: Record<Check, string[]>
}

export const checks = {
  seeded: 'every table and every column of version 0.1.0 has a value before it is upgraded',
  same: 'the tables of version 0.1.0 are in everything those of the baseline, and after it those of today',
  kept: 'after the upgrade every value of every row is as it was',
  copied: 'what was there before is copied, with the version in its name, and undone from the copy whole',
  works: 'the program of today starts on it: people sign in or stay so, and every list is answered',
  verified: 'report:verify and audit-verify find no difference',
  backed: 'a backup of it is completed, and compared it is equal',
  archived: 'a backup that version 0.1.0 has made is compared equal, and a copy of it is attached',
  settled: 'the second start changes nothing of the tables, and copies nothing',
} as const
export type Check = keyof typeof checks

const eachCheck = <Value>(value: () => Value) =>
  Object.fromEntries(Object.keys(checks).map((check) => [check, value()])) as Record<Check, Value>
export const nothingFound = (): Found => ({ checks: eachCheck(() => 0), faults: eachCheck(() => []) })

/** Tables of which rows go when a program works: they are of the moment, or computed anew. */
const passing = new Set([
  'events',
  'presence',
  'rate_limits',
  'search_due',
  'facts_due',
  'sla_due',
  'restored_files',
  'webhook_refusals',
  'media_fetches',
])

export interface Way {
  first: OtherVersion
  /** The lines of a new database of the baseline alone, and of today. */
  baseline: readonly string[]
  catalog: readonly string[]
  /** Version 0.1.0 serves it for a moment before. */
  isUsed: boolean
  /** It is taken back to version 0.1.0, which serves it, and upgraded again. */
  isUndone: boolean
  print(line: string): void
}

/** Makes an installation of version 0.1.0 in a place, brings it to that of today, and looks at everything. */
export async function upgradeFromFirst(
  place: Place,
  { first, baseline, catalog, isUsed, isUndone, print }: Way,
  found: Found,
): Promise<void> {
  const tell = (check: Check, faults: readonly string[], count = 1) => {
    found.checks[check] += count
    found.faults[check].push(...faults)
  }
  const lookAtCatalog = async (database: Database, wanted: readonly string[]) =>
    tell('same', catalogDifferences(await readCatalog(database), wanted), wanted.length)
  await migrateByFirst(place, first)
  const seeded = await place.with((database) => seed(database, place.dataDir))
  tell('seeded', seeded.left)
  let archives: Archives | undefined
  if (isUsed)
    tell(
      'works',
      await serves(place, first, async (program, token) => {
        archives = await archiveByFirst(place, { first, program, token })
      }),
    )
  const before = await place.with(async (database) => {
    await lookAtCatalog(database, baseline)
    return readStored(database)
  })

  // The program dies as soon as the upgrade is committed: its own work changes nothing yet.
  tell('kept', await startAndDie(place, 'upgrade.committed=kill'))
  await place.with(async (database) => {
    await lookAtCatalog(database, catalog)
    const after = await readStored(database)
    tell('kept', lookAtRows(before, after), countRows(before))
    for (const table of before.keys()) print(`${table}: ${digest(before, table)} → ${digest(after, table)}`)
  })
  const copies = () => readdir(join(place.dataDir, 'upgrades')).catch((): string[] => [])
  const names = await copies()
  const isNamed = names.length === 1 && names[0]?.endsWith(`Z-${tagOf(firstVersion)}`)
  tell('copied', isNamed ? [] : [`the copies are ${names.join(', ') || 'none'}`])
  if (isUndone) {
    const { code, said } = await command(place, 'undo-upgrade', '--yes')
    tell('copied', code === 0 ? [] : [`undo-upgrade ends with ${code}: ${said}`])
    await place.with(async (database) => {
      const { version: now } = await readSchemaState(database.pool)
      if (now !== firstVersion) tell('copied', [`after undo-upgrade it is of ${tagOf(now)}`])
      tell('copied', lookAtUndone(before, await readStored(database)), countRows(before))
      await lookAtCatalog(database, baseline)
    })
    tell('copied', await serves(place, first))
  }

  const program = await start(place)
  try {
    if (archives) tell('archived', await lookAtArchives(place, archives))
    await lookAtWork(place, program, { seeded, isUndone }, tell)
  } finally {
    await program.end()
    archives?.remove()
  }
  const settled = () =>
    place.with(async (database) => {
      const { rows } = await database.pool.query('select * from drizzle.__drizzle_migrations')
      return JSON.stringify([await readCatalog(database), rows, await copies()])
    })
  const once = await settled()
  tell('works', await serves(place))
  tell('settled', (await settled()) === once ? [] : ['the second start has changed something'])
  await place.with(async (database) => {
    const gone = differences(before, await readStored(database))
      .filter(({ table, column }) => column === undefined && !passing.has(table))
      .filter(({ table }) => !isUndone || !(table === 'sessions' || table === 'trusted_devices'))
      // The file of an anonymized person goes with the next sweep, be it that of the nightly run.
      .filter(({ table, key }) => table !== 'files' || before.get(table)?.get(key)?.['is_erased'] !== true)
    tell(
      'kept',
      gone.map(({ words }) => `afterwards ${words}`),
    )
  })
}

/** A program starts on it, its administrator signs in, and it works until nothing is left to do. */
async function serves(
  place: Place,
  version?: OtherVersion,
  work?: (program: Program, token: string) => Promise<void>,
): Promise<string[]> {
  try {
    const program = await start(place, version?.folder)
    try {
      const token = await signIn(program)
      await work?.(program, token)
      await place.beside((database) => computed(program, database))
    } finally {
      await program.end()
    }
    return []
  } catch (error) {
    return [`${version ? 'version 0.1.0' : 'the program of today'}: ${(error as Error).message}`]
  }
}

const countRows = (stored: Stored) => [...stored.values()].reduce((sum, rows) => sum + rows.size, 0)

/** Number of rows, and a hash of what is in them. */
function digest(stored: Stored, table: string): string {
  const rows = [...(stored.get(table) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 12)}`
}

function lookAtRows(before: Stored, after: Stored): string[] {
  const [was, is] = [countRows(before), countRows(after)]
  return [
    ...differences(before, after).map(({ words }) => words),
    ...removedColumns(before, after).map((column) => `${column} is gone`),
    ...(was === is ? [] : [`there were ${was} rows, and are ${is}`]),
  ]
}

/** Nothing but what everybody signs in anew for, and the epoch of the history, which begins anew. */
function lookAtUndone(before: Stored, after: Stored): string[] {
  const faults = lasting(before, after).map((words) => `undone: ${words}`)
  const [was, is] = [before, after].map((stored) => [...stored.keys()].toSorted().join(' '))
  return was === is ? faults : [...faults, `undone: the tables were ${was}, and are ${is}`]
}

async function lookAtWork(
  place: Place,
  program: Program,
  { seeded, isUndone }: { seeded: Seeded; isUndone: boolean },
  tell: (check: Check, faults: readonly string[], count?: number) => void,
): Promise<void> {
  const token = await signIn(program)
  const lists = await readEverything(program, token)
  tell('works', lists.faults, lists.calls)
  for (const id of [1, 2, 3, 4, 6]) {
    const { status } = await get(`${program.url}/api/conversations/${id}/messages`, token)
    tell('works', status === 200 ? [] : [`the messages of conversation ${id}: ${status}`])
  }
  const mine = await get(`${program.url}/api/auth/me`, operatorToken)
  const expected = isUndone ? 401 : 200
  tell('works', mine.status === expected ? [] : [`an operator who was signed in is answered ${mine.status}`])
  const { name, sha256 } = seeded.files.message
  tell('works', (await hashOfFile(program, token, name)) === sha256 ? [] : ['a file has other bytes'])
  await place.beside((database) => computed(program, database))
  const today = new Date().toISOString().slice(0, 10)
  for (const words of [['report-verify', '--from', '2020-01-01', '--to', today], ['audit-verify']]) {
    const { code, said } = await command(place, ...words)
    tell('verified', code === 0 ? [] : [`${words[0]} ends with ${code}: ${said}`])
  }
  const id = await makeBackup(program, token)
  if (typeof id === 'string') return tell('backed', [id])
  const { code, said } = await command(place, 'backup', 'compare', String(id))
  tell('backed', code === 0 ? [] : [`backup compare ends with ${code}: ${said}`])
}
