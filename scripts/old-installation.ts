import { existsSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { makeFirstVersion, migrateByFirst } from '../proof/upgrades/first-version.ts'
import { placeInFolder, start } from '../proof/upgrades/installation.ts'
import { admin } from '../proof/upgrades/rows/people.ts'
import { seed } from '../proof/upgrades/seed.ts'
import { MissingProgram } from '../proof/support/scenario.ts'

// `node scripts/old-installation.ts FOLDER` makes a data folder as version 0.1.0 has left it, by its program
// and with rows in all of its tables, for whoever wants to see an upgrade.

function refuse(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

function takeFirstVersion() {
  try {
    return makeFirstVersion()
  } catch (error) {
    if (error instanceof MissingProgram) refuse(error.message)
    throw error
  }
}

const [given] = process.argv.slice(2)
if (given === undefined || existsSync(given))
  refuse('Usage: node scripts/old-installation.ts FOLDER, which is not there yet')
const dataDir = resolve(given)
const first = takeFirstVersion()
try {
  // The account of the embedded server must be able to enter it, also when this is run by root.
  mkdirSync(dataDir, { mode: 0o711 })
  const place = placeInFolder({ dataDir, remove: () => undefined })
  await migrateByFirst(place, first)
  await place.with((database) => seed(database, dataDir))
  const program = await start(place, first.folder)
  await program.end()
  process.stdout.write(`${dataDir}: sign in as ${admin.username} with ${admin.password}\n`)
} finally {
  first.remove()
}
