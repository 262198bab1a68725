import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateDatabase } from '#server/platform/database/db.ts'
import { ourMigrations } from '#server/platform/database/migrations.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { isFresh, projectFolder } from '../../scripts/built.mjs'
import { defineScenario, MissingProgram } from '../support/scenario.ts'
import { readCatalog } from './catalog.ts'
import { type Base, type Failures, failUpgrades } from './failures.ts'
import { makeFirstVersion, migrateByFirst } from './first-version.ts'
import { type Check, checks, nothingFound, upgradeFromFirst } from './from-version.ts'
import { type Place, placeInFolder, placeOnServer } from './installation.ts'
import { makeNextVersion } from './next-version.ts'

const postgres = '/usr/lib/postgresql/15/bin'

/**
 * Data folders and databases of version 0.1.0, made by its program and with rows in all of their tables,
 * are upgraded by the program as it runs, looked at, copied before and undone; and upgrades, from that
 * version and from today's, fail and are killed in their middle.
 */
export const upgrades = defineScenario({
  options: {
    /** At how many random moments the next version is killed. */
    kills: 10,
  },
  nightly: { kills: 3 },

  async arrange({ defer, print }) {
    if (!existsSync(join(postgres, 'postgres'))) throw new MissingProgram(`${postgres}/postgres`)
    const first = makeFirstVersion()
    defer(() => first.remove())
    const server = await startOwnServer({ bin: postgres, under: tmpdir() })
    defer(() => server.close())
    await server.query('create role balcao login')
    // So that neither the program of today nor the next one, a copy of it, builds its screens.
    if (!isFresh('web') || !isFresh('server')) {
      print('building what runs')
      execFileSync(process.execPath, [join(projectFolder, 'scripts', 'build.ts')])
    }
    const next = makeNextVersion()
    defer(() => next.remove())
    const placed = (place: Place) => {
      defer(() => place.remove())
      return place
    }
    return {
      first,
      next,
      onServer: async () => placed(await placeOnServer(server)),
      inFolder: () => placed(placeInFolder()),
    }
  },

  async act({ first, next, onServer, inFolder }, { options, random, print, seconds }) {
    const found = nothingFound()
    const migrate = (place: Place) => place.with((database) => migrateDatabase(database))
    for (const isInFolder of [false, true]) {
      const makePlace = async () => (isInFolder ? inFolder() : onServer())
      const fresh = await makePlace()
      await fresh.with((database) => migrateDatabase(database, { folder: baselineAlone() }))
      const baseline = await fresh.with(readCatalog)
      await migrate(fresh)
      const catalog = await fresh.with(readCatalog)
      const way = { first, baseline, catalog, isUsed: isInFolder, isUndone: !isInFolder }
      print(isInFolder ? 'in a folder:' : 'on a PostgreSQL 15:')
      await upgradeFromFirst(await makePlace(), { ...way, print }, found)
      print(`${seconds()} s`)
    }
    const failures: Failures[] = []
    const bases: Base[] = [{ first, prepare: (place) => migrateByFirst(place, first) }, { prepare: migrate }]
    for (const base of bases)
      for (const place of [await onServer(), inFolder()]) {
        failures.push(await failUpgrades(place, next, { ...base, kills: options.kills, random }))
        print(`upgrades that fail, from ${base.first ? 'version 0.1.0' : "today's version"}: ${seconds()} s`)
      }
    return { found, failures }
  },

  check({ found, failures }) {
    return [
      ...(Object.keys(checks) as Check[]).map((check) => ({
        property: checks[check],
        checked: found.checks[check],
        faults: found.faults[check],
      })),
      {
        property:
          'an upgrade that fails in its middle changes nothing, says so, and the version before goes on',
        checked: failures.length,
        faults: failures.flatMap(({ failed }) => failed),
      },
      {
        property: 'so does one that is killed at any moment before its commit',
        checked: failures.reduce((sum, { kills }) => sum + kills, 0),
        faults: failures.flatMap(({ killed }) => killed),
      },
      {
        property: 'one that has succeeded is undone, and the version before goes on with what was there',
        checked: failures.length,
        faults: failures.flatMap(({ undone }) => undone),
      },
    ]
  },
})

/** The migrations up to the baseline, in a folder of their own. */
function baselineAlone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-baseline-'))
  cpSync(ourMigrations, folder, { recursive: true })
  const file = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: unknown[] }
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 1) }))
  return folder
}
