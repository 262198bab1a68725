import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '#simulator/random.ts'
import { readMigrations } from '#server/platform/database/migrations.ts'
import { differences, readStored, type Stored } from './compare.ts'
import { command, type Place, signIn, start, startAndDie } from './installation.ts'
import { type NextVersion, runIn } from './next-version.ts'
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
const slow = 'select pg_sleep(0.3);'
const broken =
  'alter table companies add column planted int; create unique index planted on contacts (planted);'

/** Every point at which the next version is killed, before anything is committed. */
const points = [
  'upgrade.written=kill',
  'upgrade.copied=kill',
  'upgrade.migration=kill@1',
  'upgrade.migration=kill@2',
  'upgrade.migration=kill@3',
  'upgrade.migrated=kill',
]

/**
 * On a place of the version of today: the next version fails in its middle, is killed there, and is regretted
 * after it has succeeded. Each time the program of today goes on as if nothing had been.
 */
export async function failUpgrades(
  place: Place,
  next: NextVersion,
  { kills, random }: { kills: number; random: Random },
): Promise<Failures> {
  const found: Failures = { failed: [], killed: [], kills: 0, undone: [] }
  const before = await place.with(async (database) => {
    await seed(database, place.dataDir, readMigrations().length - 1)
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
  found.failed.push(...(await worksToday(place)))

  const calm = await stored()
  next.plant([good, slow, good.replace('planted', 'planted_too')])
  const any = Array.from({ length: kills }, () => `upgrade.migration=kill:${Math.floor(random() * 400)}`)
  for (const point of [...points, ...any]) {
    found.kills += 1
    found.killed.push(...(await startAndDie(place, point, next.folder)))
    found.killed.push(...changed(calm, await stored()).map((fault) => `${point}: ${fault}`))
  }
  found.killed.push(...(await worksToday(place)))

  found.undone.push(...(await regret(place, next, stored)))
  return found
}

/** The next version upgrades, and is taken back. */
async function regret(place: Place, next: NextVersion, stored: () => Promise<Stored>): Promise<string[]> {
  const faults: string[] = []
  const before = await stored()
  next.plant([good])
  const program = await start(place, next.folder)
  await signIn(program)
  await program.end()
  if (changed(before, await stored()).length === 0) faults.push('the next version has changed nothing')
  const refused = await runIn('.', place, 'main')
  if (refused.code !== 1 || !refused.said.includes('versão mais nova do Balcão'))
    faults.push(`today's program on the next database ends with ${refused.code}: ${refused.said}`)
  const { code, said } = await runIn(next.folder, place, 'cli', 'undo-upgrade', '--yes')
  if (code !== 0) return [...faults, `undo-upgrade ends with ${code}: ${said}`]
  faults.push(...changed(before, await stored()), ...(await worksToday(place)))
  return faults
}

const signedInAnew = ['events', 'presence', 'sessions', 'trusted_devices']
/** What a program changes that starts, works for a moment and stops. */
const ofWork = [
  'jobs',
  'rate_limits',
  'audit_head',
  'audit_logs',
  'audit_checks',
  'evolution_api_config',
  'notices',
]

function changed(before: Stored, after: Stored): string[] {
  const quiet = [
    ...signedInAnew,
    ...ofWork,
    'job_runs',
    'search_due',
    'facts_due',
    'restored_files',
    'outbox',
  ]
  const faults = differences(before, after)
    .filter(({ table }) => !quiet.includes(table))
    .filter(({ table, column }) => !(table === 'installation' && column === 'epoch'))
    .map(({ words }) => words)
  const columns = (stored: Stored) => Object.keys([...(stored.get('contacts')?.values() ?? [])][0] ?? {})
  const more = columns(after).filter((column) => !columns(before).includes(column))
  return [...faults, ...more.map((column) => `contacts.${column} is new`)]
}

/** The program of today starts on it, and its administrator signs in. */
async function worksToday(place: Place): Promise<string[]> {
  try {
    const program = await start(place)
    try {
      await signIn(program)
    } finally {
      await program.end()
    }
    const { code, said } = await command(place, 'audit-verify')
    return code === 0 ? [] : [`audit-verify ends with ${code}: ${said}`]
  } catch (error) {
    return [`today's program: ${(error as Error).message}`]
  }
}
