import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#server/platform/database/db.ts'
import { readSchemaState, tagOf } from '#server/platform/database/migrate.ts'
import { readMigrations } from '#server/platform/database/migrations.ts'
import type { Program } from '../support/program.ts'
import { differences, isMeant, promises, readStored, removedColumns, type Stored } from './compare.ts'
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
import { operatorToken, seed, type Seeded } from './seed.ts'

/** What was found of one version, by what was looked at. */
export interface Found {
  checks: Record<Check, number>
  faults: Record<Check, string[]>
}

export const checks = {
  seeded: 'every table and every column of an earlier version has a value before it is upgraded',
  kept: 'after the upgrade every value of every row is as it was, or as a migration means it to be',
  copied: 'what was there before is copied, with the version in its name, and undone from the copy whole',
  works: 'the program of today starts on it: people sign in or stay so, and every list is answered',
  verified: 'report:verify and audit-verify find no difference',
  backed: 'a backup of it is completed, and compared it is equal',
} as const
export type Check = keyof typeof checks

export const nothingFound = (): Found => ({
  checks: { seeded: 0, kept: 0, copied: 0, works: 0, verified: 0, backed: 0 },
  faults: { seeded: [], kept: [], copied: [], works: [], verified: [], backed: [] },
})

/** Tables of which rows go when a program works: they are of the moment, or computed anew. */
const passing = new Set([
  'events',
  'presence',
  'rate_limits',
  'search_due',
  'facts_due',
  'restored_files',
  'webhook_refusals',
  'media_fetches',
])

/** Upgrades a place from a version to that of today, and looks at everything. */
export async function upgradeFrom(
  place: Place,
  number: number,
  { isUndone }: { isUndone: boolean },
  found: Found,
): Promise<void> {
  const version = readMigrations()[number]?.when ?? 0
  const tell = (check: Check, faults: readonly string[], count = 1) => {
    found.checks[check] += count
    found.faults[check].push(...faults.map((fault) => `from ${tagOf(version)}: ${fault}`))
  }
  const [seeded, before] = await place.with(async (database) => {
    const made = await seed(database, place.dataDir, number)
    return [made, await readStored(database)] as const
  })
  tell('seeded', seeded.left, before.size)

  // The program dies as soon as the upgrade is committed: its own work changes nothing yet.
  tell('kept', await startAndDie(place, 'upgrade.committed=kill'))
  await place.with(async (database) =>
    tell('kept', await lookAtRows(database, before, number), countRows(before)),
  )
  const copies = await readdir(join(place.dataDir, 'upgrades')).catch(() => [])
  const isNamed = copies.length === 1 && copies[0]?.endsWith(`Z-${tagOf(version)}`)
  tell('copied', isNamed ? [] : [`the copies are ${copies.join(', ') || 'none'}`])
  if (isUndone) {
    const { code, said } = await command(place, 'undo-upgrade', '--yes')
    tell('copied', code === 0 ? [] : [`undo-upgrade ends with ${code}: ${said}`])
    await place.with(async (database) => {
      const { version: now } = await readSchemaState(database.pool)
      if (now !== version) tell('copied', [`after undo-upgrade it is of ${tagOf(now)}`])
      tell('copied', lookAtUndone(before, await readStored(database)), countRows(before))
    })
  }

  const program = await start(place)
  try {
    await lookAtWork(place, program, { seeded, isUndone }, tell)
  } finally {
    await program.end()
  }
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

const countRows = (stored: Stored) => [...stored.values()].reduce((sum, rows) => sum + rows.size, 0)

async function lookAtRows(database: Database, before: Stored, number: number): Promise<string[]> {
  const after = await readStored(database)
  const changed = differences(before, after).filter((one) => !isMeant(one, number))
  const faults = changed.map(({ words }) => words)
  faults.push(...removedColumns(before, after).map((column) => `${column} is gone`))
  for (const [promise, statement] of Object.entries(promises)) {
    const { rowCount } = await database.pool.query(statement)
    if (rowCount !== 0) faults.push(`${promise}: not of ${rowCount} rows`)
  }
  return faults
}

/** Nothing but what everybody signs in anew for, and the epoch of the history, which begins anew. */
function lookAtUndone(before: Stored, after: Stored): string[] {
  const faults = differences(before, after)
    .filter(({ table }) => !['events', 'presence', 'sessions', 'trusted_devices'].includes(table))
    .filter(
      ({ table, column }) => !(table === 'installation' && /^(epoch|sends_paused_until)$/.test(column ?? '')),
    )
    .map(({ words }) => `undone: ${words}`)
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
  if (seeded.number >= 3) {
    const { name, sha256 } = seeded.files.message
    tell('works', (await hashOfFile(program, token, name)) === sha256 ? [] : ['a file has other bytes'])
  }
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
