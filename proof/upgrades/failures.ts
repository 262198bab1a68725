import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '#simulator/random.ts'
import { lasting, readStored, type Stored } from './compare.ts'
import { type Place, signIn, start, startAndDie } from './installation.ts'
import type { NextVersion } from './next-version.ts'
import type { OtherVersion } from '../support/other-version.ts'
import { runIn } from './run-in.ts'
import { projectFolder } from '../../scripts/start-line.ts'
import { seed } from './seed.ts'

/** What was found of upgrades that do not come to their end, and of one that is regretted. */
export interface Failures {
  failed: string[]
  killed: string[]
  kills: number
  undone: string[]
}

const good = `alter table contacts add column planted text default 'new' not null;
  --> statement-breakpoint
  update companies set name = name || ' (nova)';`
const slowMs = 300
const slow = `select pg_sleep(${slowMs / 1000});`
const broken =
  'alter table companies add column planted int; create unique index planted on contacts (planted);'

/**
 * Every point at which the next version is killed, before anything is committed.
 * @param steps three migrations, and from version 0.1.0 the one to the baseline
 */
const pointsOf = (steps: number) => [
  'upgrade.written=kill',
  'upgrade.copied=kill',
  ...Array.from({ length: steps }, (_, n) => `upgrade.migration=kill@${n + 1}`),
  'upgrade.migrated=kill',
]

/** The version that an installation is of, before the next one begins its upgrade. */
export interface Base {
  /** Absent: that of today. */
  first?: OtherVersion
  prepare(place: Place): Promise<void>
}

/**
 * On a place of version 0.1.0 or of today: the next version fails in its middle, is killed there, and is
 * regretted after it has succeeded. Each time the program of before goes on as if nothing had been.
 */
export async function failUpgrades(
  place: Place,
  next: NextVersion,
  { first, prepare, kills, random }: Base & { kills: number; random: Random },
): Promise<Failures> {
  const found: Failures = { failed: [], killed: [], kills: 0, undone: [] }
  await prepare(place)
  const before = await place.with(async (database) => {
    await seed(database, place.dataDir)
    return readStored(database)
  })
  const stored = () => place.with(readStored)
  const copies = (): Promise<string[]> => readdir(join(place.dataDir, 'upgrades')).catch(() => [])

  next.plant([good, broken])
  const failed = await runIn(next.folder, place, 'main')
  const line = /A atualização do banco falhou em 9001_planted \(.+\)\. Nada foi mudado: .*\n$/
  if (failed.code !== 1 || !line.test(failed.said))
    found.failed.push(`a failed upgrade ends with ${failed.code}: ${failed.said}`)
  found.failed.push(...changed(before, await stored()))
  if ((await copies()).length > 0) found.failed.push(`it leaves ${(await copies()).join(', ')}`)
  found.failed.push(...(await worksAgain(place, first)))

  const calm = await stored()
  next.plant([good, slow, good.replace('planted', 'planted_too')])
  // From the first of the migrations on, and before the slow one has ended.
  const any = Array.from({ length: kills }, () => `upgrade.migration=kill:${Math.floor(random() * slowMs)}`)
  for (const point of [...pointsOf(first ? 4 : 3), ...any]) {
    found.kills += 1
    found.killed.push(...(await startAndDie(place, point, next.folder)))
    found.killed.push(...changed(calm, await stored()).map((fault) => `${point}: ${fault}`))
  }
  found.killed.push(...(await worksAgain(place, first)))

  found.undone.push(...(await regret(place, { first, next }, stored)))
  return found
}

/** The next version upgrades, and is taken back. */
async function regret(
  place: Place,
  { first, next }: { first: OtherVersion | undefined; next: NextVersion },
  stored: () => Promise<Stored>,
): Promise<string[]> {
  const faults: string[] = []
  const before = await stored()
  next.plant([good])
  const program = await start(place, next.folder)
  await signIn(program)
  await program.end()
  if (changed(before, await stored()).length === 0) faults.push('the next version has changed nothing')
  const refused = await runIn(first?.folder ?? projectFolder, place, 'main')
  if (refused.code !== 1 || !refused.said.includes('versão mais nova do Balcão'))
    faults.push(`the program of before on the next database ends with ${refused.code}: ${refused.said}`)
  const { code, said } = await runIn(next.folder, place, 'cli', 'undo-upgrade', '--yes')
  if (code !== 0) return [...faults, `undo-upgrade ends with ${code}: ${said}`]
  faults.push(...changed(before, await stored()), ...(await worksAgain(place, first)))
  return faults
}

/** What a program changes that starts, works for a moment and stops. */
const ofWork = [
  'jobs',
  'rate_limits',
  'audit_head',
  'audit_logs',
  'audit_checks',
  'evolution_api_config',
  'notices',
  'job_runs',
  'search_due',
  'facts_due',
  'sla_due',
  'restored_files',
  'outbox',
]

function changed(before: Stored, after: Stored): string[] {
  const columns = (stored: Stored) => Object.keys([...(stored.get('contacts')?.values() ?? [])][0] ?? {})
  const more = columns(after).filter((column) => !columns(before).includes(column))
  return [...lasting(before, after, ofWork), ...more.map((column) => `contacts.${column} is new`)]
}

/** The program of before starts on it, and its administrator signs in. */
async function worksAgain(place: Place, first: OtherVersion | undefined): Promise<string[]> {
  try {
    const program = await start(place, first?.folder)
    try {
      await signIn(program)
    } finally {
      await program.end()
    }
    const { code, said } = await runIn(first?.folder ?? projectFolder, place, 'cli', 'audit-verify')
    return code === 0 ? [] : [`audit-verify ends with ${code}: ${said}`]
  } catch (error) {
    return [`the program of before: ${(error as Error).message}`]
  }
}
