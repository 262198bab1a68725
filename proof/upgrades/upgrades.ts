import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { readMigrations } from '#server/platform/database/migrations.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { defineScenario, MissingProgram } from '../support/scenario.ts'
import { type Failures, failUpgrades } from './failures.ts'
import { type Check, checks, nothingFound, upgradeFrom } from './from-version.ts'
import { type Place, placeInFolder, placeOnServer } from './installation.ts'
import { makeNextVersion } from './next-version.ts'

const postgres = '/usr/lib/postgresql/15/bin'

/**
 * Data folders and databases of every earlier version, with rows in all of their tables, are upgraded by the
 * program as it runs, looked at, copied before and undone; and upgrades fail and are killed in their middle.
 */
export const upgrades = defineScenario({
  options: {
    /** How many of the earlier versions, on a PostgreSQL 15; 0: all. */
    versions: 0,
    /** How many of the newest ones with the embedded database as well. */
    embedded: 3,
    /** Of how many versions the upgrade is undone in between; 0: all. */
    undone: 0,
    /** At how many random moments the next version is killed. */
    kills: 10,
  },
  nightly: { versions: 4, embedded: 1, undone: 2, kills: 3 },

  async arrange({ defer }) {
    if (!existsSync(join(postgres, 'postgres'))) throw new MissingProgram(`${postgres}/postgres`)
    const server = await startOwnServer({ bin: postgres, under: tmpdir() })
    defer(() => server.close())
    await server.query('create role balcao login')
    const next = makeNextVersion()
    defer(() => next.remove())
    const placed = (place: Place) => {
      defer(() => place.remove())
      return place
    }
    return {
      next,
      onServer: async () => placed(await placeOnServer(server)),
      inFolder: () => placed(placeInFolder()),
    }
  },

  async act({ next, onServer, inFolder }, { options, random, print, seconds }) {
    const earlier = readMigrations().length - 1
    const all = Array.from({ length: earlier }, (_, number) => number)
    // The oldest and the newest always, of those between as many as there is time for.
    const between = all.slice(1, -1).toSorted(() => random() - 0.5)
    const chosen = options.versions === 0 ? all : [0, earlier - 1, ...between.slice(0, options.versions - 2)]
    const undone = options.undone === 0 ? chosen : chosen.slice(0, options.undone)
    const found = nothingFound()
    for (const number of chosen.toSorted((a, b) => a - b)) {
      const startedAt = seconds()
      await upgradeFrom(await onServer(), number, { isUndone: undone.includes(number) }, found)
      print(`${readMigrations()[number]?.tag}: ${seconds() - startedAt} s`)
    }
    for (const number of all.slice(all.length - options.embedded))
      await upgradeFrom(inFolder(), number, { isUndone: number === earlier - 1 }, found)
    const failures: Failures[] = []
    for (const place of [await onServer(), inFolder()])
      failures.push(await failUpgrades(place, next, { kills: options.kills, random }))
    return { found, failures, versions: chosen.length + options.embedded }
  },

  check({ found, failures, versions }) {
    return [
      ...(Object.keys(checks) as Check[]).map((check) => ({
        property: `${checks[check]} (of ${versions} versions)`,
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
