import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { copyProgram, type ProgramCopy } from '#server/platform/embedded-postgres/testing/program-copy.ts'
import { type Case, type CaseEnvironment, real, timed } from '../case.ts'
import { nobody } from './places.ts'

const execute = promisify(execFile)
const isRoot = process.getuid?.() === 0

/** A unique name, since root's copies in /var/lib must not collide with an installation on this machine. */
const options = { ...real, name: `balcaovida${process.pid}` }

async function copyFor(
  at: CaseEnvironment,
): Promise<{ dataDir: string; copy: ProgramCopy; library: string }> {
  at.onClear(() => rm(join('/var/lib', options.name), { recursive: true, force: true }))
  const dataDir = await at.makeDataDir()
  const copy = await copyProgram(join(dirname(dataDir), 'programa'))
  return { dataDir, copy, library: join(copy.packageFolder, 'native', 'lib') }
}

/** The package as npm installs it without install scripts. */
async function removeLinks(library: string): Promise<string[]> {
  const removed: string[] = []
  for (const entry of await readdir(library, { withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue
    await rm(join(library, entry.name))
    removed.push(entry.name)
  }
  return removed.toSorted()
}

async function startsWith(
  at: CaseEnvironment,
  dataDir: string,
  copy: ProgramCopy,
  uid?: number,
): Promise<number> {
  const program = at.startProgram(dataDir, options, { copy, ...(uid !== undefined && { uid }) })
  const { ms, value } = await timed(() => program.next('started', 'error'))
  assert.equal(value.event, 'started', value.message)
  await program.stop()
  return ms
}

async function makesLinks(at: CaseEnvironment): Promise<string> {
  const { dataDir, copy, library } = await copyFor(at)
  const links = await removeLinks(library)
  assert.ok(links.length > 0)
  const ms = await startsWith(at, dataDir, copy)
  for (const name of links) assert.ok((await lstat(join(library, name))).isSymbolicLink(), name)
  return `${links.length} links made, up after ${ms} ms`
}

async function copiesReadOnly(at: CaseEnvironment): Promise<string> {
  const { dataDir, copy, library } = await copyFor(at)
  await removeLinks(library)
  await chmod(library, 0o555)
  at.onClear(() => chmod(library, 0o755))
  if (isRoot) await chown(dataDir, nobody, nobody)
  const uid = isRoot ? nobody : undefined
  const first = await startsWith(at, dataDir, copy, uid)
  const again = await startsWith(at, dataDir, copy, uid)
  assert.deepEqual(
    (await readdir(library, { withFileTypes: true })).filter((each) => each.isSymbolicLink()),
    [],
  )
  const copies = (await readdir(join(dataDir, 'postgres'))).filter((name) => name.startsWith('programs-'))
  assert.equal(copies.length, 1)
  return `copied to ${copies[0]}: ${first} ms, again ${again} ms`
}

async function copiesFromReadOnlyDisk(at: CaseEnvironment): Promise<string> {
  const { dataDir, copy, library } = await copyFor(at)
  await removeLinks(library)
  await execute('mount', ['--bind', copy.packageFolder, copy.packageFolder])
  at.onClear(() => execute('umount', [copy.packageFolder]))
  await execute('mount', ['-o', 'remount,bind,ro', copy.packageFolder])
  const program = at.startProgram(dataDir, options, { copy })
  const { ms, value } = await timed(() => program.next('started', 'error'))
  assert.equal(value.event, 'started', value.message)
  await program.stop()
  const there = await readdir(join('/var/lib', options.name))
  assert.equal(there.filter((name) => name.startsWith('programs-')).length, 1)
  return `copied to /var/lib, up after ${ms} ms`
}

const oneLine = /^EmbeddedPostgresError: [^\n]*defina DATABASE_URL$/

async function refusesWith(
  at: CaseEnvironment,
  damage: (copy: ProgramCopy, library: string) => Promise<unknown>,
): Promise<string> {
  const { dataDir, copy, library } = await copyFor(at)
  await damage(copy, library)
  const program = at.startProgram(dataDir, options, { copy })
  const { ms, value } = await timed(() => program.next('started', 'error'))
  assert.match(value.message ?? '', oneLine)
  assert.equal(await program.ended, 1)
  assert.deepEqual(await readdir(dataDir), [], 'something is left in the data folder')
  assert.deepEqual(await readdir(join('/var/lib', options.name)).catch(() => []), [], 'a copy is left')
  return `${ms} ms: ${(value.message ?? '').replace('EmbeddedPostgresError: ', '').slice(0, 90)}…`
}

/** Sets a loader that does not exist, as on a system with another C library. */
async function breakLoader(copy: ProgramCopy): Promise<void> {
  for (const name of ['postgres', 'initdb']) {
    const path = join(copy.packageFolder, 'native', 'bin', name)
    const bytes = await readFile(path)
    const at = bytes.indexOf('/ld-linux')
    assert.ok(at > 0)
    bytes.write('/ld-perdi', at)
    await writeFile(path, bytes)
  }
}

async function refusesReadOnlyData(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  await mkdir(join(dataDir, 'd'))
  await execute('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', join(dataDir, 'd')])
  at.onClear(() => execute('umount', [join(dataDir, 'd')]))
  const program = at.startProgram(join(dataDir, 'd'), real)
  const { message } = await program.next('started', 'error')
  assert.match(message ?? '', oneLine)
  return (message ?? '').slice(23, 110)
}

async function refusesFullDisk(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  await mkdir(join(dataDir, 'd'))
  await execute('mount', ['-t', 'tmpfs', '-o', 'size=12m,mode=755', 'tmpfs', join(dataDir, 'd')])
  at.onClear(() => execute('umount', [join(dataDir, 'd')]))
  const program = at.startProgram(join(dataDir, 'd'), real)
  const { message } = await program.next('started', 'error')
  assert.match(message ?? '', /^EmbeddedPostgresError: [^\n]*No space left[^\n]*DATABASE_URL$/)
  assert.deepEqual(await readdir(join(dataDir, 'd', 'postgres')), ['run'])
  return (message ?? '').slice(23, 130)
}

export const packageCases: Case[] = [
  { name: 'package: links are made without install scripts', run: makesLinks },
  { name: 'package: read-only and without links, as a plain user', run: copiesReadOnly },
  {
    name: 'package: on a read-only disk and without links, as root',
    needsRoot: true,
    run: copiesFromReadOnlyDisk,
  },
  {
    name: 'package: missing for this platform',
    run: (at) => refusesWith(at, (copy) => rm(copy.packageFolder, { recursive: true })),
  },
  { name: 'package: loader missing, as on musl', run: (at) => refusesWith(at, breakLoader) },
  {
    name: 'package: library missing',
    run: (at) => refusesWith(at, (_, library) => rm(join(library, 'libicuuc.so.60.2'))),
  },
  { name: 'package: data folder on a read-only disk', needsRoot: true, run: refusesReadOnlyData },
  { name: 'package: disk full at the first start', needsRoot: true, run: refusesFullDisk },
]
