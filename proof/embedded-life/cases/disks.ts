import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { copyProgram } from '#server/platform/embedded-postgres/testing/program-copy.ts'
import { type Case, type CaseEnvironment, real, timed } from '../case.ts'

const execute = promisify(execFile)

/** The package as npm installs it without install scripts, where nothing can be written. */
async function copiesFromReadOnlyDisk(at: CaseEnvironment): Promise<string> {
  // A name of its own, since root's copies in /var/lib must not collide with an installation on this machine.
  const name = `balcaovida${process.pid}`
  const system = join('/var/lib', name)
  at.onClear(() => rm(system, { recursive: true, force: true }))
  const dataDir = await at.makeDataDir()
  const copy = await copyProgram(join(dirname(dataDir), 'programa'))
  const library = join(copy.packageFolder, 'native', 'lib')
  for (const entry of await readdir(library, { withFileTypes: true }))
    if (entry.isSymbolicLink()) await rm(join(library, entry.name))
  await execute('mount', ['--bind', copy.packageFolder, copy.packageFolder])
  at.onClear(() => execute('umount', [copy.packageFolder]))
  await execute('mount', ['-o', 'remount,bind,ro', copy.packageFolder])
  const program = at.startProgram(dataDir, { ...real, name }, { copy })
  const { ms, value } = await timed(() => program.next('started', 'error'))
  assert.equal(value.event, 'started', value.message)
  await program.stop()
  const there = await readdir(system)
  assert.equal(there.filter((entry) => entry.startsWith('programs-')).length, 1)
  return `copied to /var/lib, up after ${ms} ms`
}

/** Starts in a folder on a disk of its own. @returns how it was refused, and what is left there */
async function refusedOn(at: CaseEnvironment, options: string) {
  const dataDir = join(await at.makeDataDir(), 'd')
  await mkdir(dataDir)
  await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dataDir])
  at.onClear(() => execute('umount', [dataDir]))
  const { message = '' } = await at.startProgram(dataDir, real).next('started', 'error')
  assert.match(message, /^EmbeddedPostgresError: [^\n]*defina DATABASE_URL$/)
  return { message, left: await readdir(join(dataDir, 'postgres')).catch(() => []) }
}

async function refusesReadOnlyData(at: CaseEnvironment): Promise<string> {
  const { message } = await refusedOn(at, 'ro')
  return message.slice(23, 110)
}

async function refusesFullDisk(at: CaseEnvironment): Promise<string> {
  const { message, left } = await refusedOn(at, 'size=12m,mode=755')
  assert.match(message, /No space left/)
  assert.deepEqual(left, ['run'])
  return message.slice(23, 130)
}

export const diskCases: Case[] = [
  { name: 'disk: the package is on a read-only one, without links', run: copiesFromReadOnlyDisk },
  { name: 'disk: the data folder is on a read-only one', run: refusesReadOnlyData },
  { name: 'disk: full at the first start', run: refusesFullDisk },
].map((each) => ({ ...each, needsRoot: true }))
