import { chmod, chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testAtNight } from '#server/testing/nightly.ts'
import { findAccount, chooseAccount, parsePasswd } from './account.ts'
import { findPackage, makeLinks, readyBinaries } from './binaries.ts'
import { type DataDir, socketFolderFor } from './data-dir.ts'
import { copyProgram } from './testing/program-copy.ts'
import { makeBench } from './testing/testing.ts'
import { describeHolder } from './lock/lock.ts'
import { parsePidFile } from './lock/pid-file.ts'
import { identFile, serverArguments } from './settings.ts'

const isRoot = process.getuid?.() === 0
const nobody = 65_534
const bench = makeBench()
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-pg-'))
  await chmod(folder, 0o755)
})
afterEach(async () => {
  await bench.clear()
  await rm(folder, { recursive: true, force: true })
})

/** A package whose programs are shell scripts. */
async function makePackage(scripts: { postgres?: string; initdb?: string }): Promise<string> {
  const source = join(folder, 'package')
  await mkdir(join(source, 'native', 'bin'), { recursive: true })
  await mkdir(join(source, 'native', 'lib'))
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
  await writeFile(join(source, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  await writeFile(join(source, 'native', 'lib', 'libx.so.1.2'), '')
  for (const [name, text] of Object.entries(scripts))
    await writeFile(join(source, 'native', 'bin', name), text, { mode: 0o755 })
  return source
}

async function makeDataDir(): Promise<DataDir> {
  const home = join(folder, 'd', 'postgres')
  await mkdir(join(folder, 'd'))
  return {
    account: await findAccount('balcao', undefined),
    path: join(folder, 'd'),
    home,
    dataFolder: join(home, 'data'),
    socketFolder: join(home, 'run'),
    logFile: join(home, 'postgres.log'),
    systemFolder: join(folder, 'system'),
  }
}

const good = '#!/bin/sh\necho "postgres (PostgreSQL) 18.4"\n'

test('the installed package is found, and its version is one PostgreSQL 18', async () => {
  expect((await findPackage()).version).toMatch(/^18\./)
})

test('missing library links are made from the package’s own list, as often as one likes', async () => {
  const source = await makePackage({})
  expect(await makeLinks(source)).toBe(true)
  expect(await makeLinks(source)).toBe(true)
  expect(await readlink(join(source, 'native', 'lib', 'libx.so.1'))).toBe('libx.so.1.2')
})

test.for([
  ['a program is missing', { postgres: good }],
  ['the loader is missing, as on musl', { postgres: good, initdb: '#!/no/such/loader\n' }],
  [
    'a library is missing',
    { postgres: good, initdb: '#!/bin/sh\necho "libx.so: cannot open" >&2; exit 127\n' },
  ],
] as const)('an unusable PostgreSQL is reported in one line: %s', async ([, scripts]) => {
  const source = { folder: await makePackage(scripts), version: '18.4.0' }
  const error = await readyBinaries(source, await makeDataDir()).catch((each: unknown) => each)
  expect(String(error)).toMatch(/^[^\n]*não rodam nesta máquina[^\n]*defina DATABASE_URL$/)
})

describe('a package the account cannot read', () => {
  beforeEach((context) => context.skip(!isRoot, 'needs root'))

  async function closedPackage() {
    const source = { folder: await makePackage({ postgres: good, initdb: good }), version: '18.4.0' }
    await chmod(source.folder, 0o700)
    const dataDir = await makeDataDir()
    const target = join(dataDir.systemFolder, `programs-18.4.0-${process.platform}-${process.arch}`)
    return { source, dataDir, target }
  }

  test('an unreadable package is copied once, with its links, readable by all', async () => {
    const { source, dataDir, target } = await closedPackage()
    const copies = await Promise.all([readyBinaries(source, dataDir), readyBinaries(source, dataDir)])
    for (const copy of copies) expect(copy.postgres).toBe(join(target, 'native', 'bin', 'postgres'))
    expect(copies[0].version).toBe('18.4')
    expect(await readdir(dataDir.systemFolder)).toHaveLength(1)
    expect(await readdir(join(target, 'native', 'lib'))).toEqual(['libx.so.1', 'libx.so.1.2'])
    expect(await readFile(copies[0].initdb, 'utf8')).toBe(good)
  })

  testAtNight('an unreadable package is copied by many starts at once', async () => {
    const { source, dataDir } = await closedPackage()
    const slow = '#!/bin/sh\nsleep 0.0$(($$ % 10))\necho "postgres (PostgreSQL) 18.4"\n'
    for (const name of ['postgres', 'initdb']) await writeFile(join(source.folder, 'native/bin', name), slow)
    for (let round = 0; round < 5; round++) {
      const copies = await Promise.all(Array.from({ length: 6 }, () => readyBinaries(source, dataDir)))
      expect(new Set(copies.map(({ initdb }) => initdb)).size).toBe(1)
      // Each round but the first begins with a damaged copy.
      await rm(copies[0]!.initdb)
    }
  })

  test('a broken package leaves no copy that would outlive its repair', async () => {
    const { source, dataDir } = await closedPackage()
    await writeFile(join(source.folder, 'native', 'bin', 'initdb'), '#!/no/such/loader\n')
    await expect(readyBinaries(source, dataDir)).rejects.toThrow('defina DATABASE_URL')
    expect(await readdir(dataDir.systemFolder)).toEqual([])
  })

  test('an unreadable package replaces a copy of it that runs no more', async () => {
    const { source, dataDir, target } = await closedPackage()
    const { initdb } = await readyBinaries(source, dataDir)
    await rm(initdb)
    expect((await readyBinaries(source, dataDir)).initdb).toBe(initdb)
    expect(await readFile(join(target, 'native', 'bin', 'initdb'), 'utf8')).toBe(good)
  })
})

describe('the real package, in a program of its own', () => {
  async function copyOfProgram() {
    const dataDir = await bench.makeDataDir('d', isRoot ? nobody : undefined)
    const copy = await copyProgram(join(folder, 'program'))
    const library = join(copy.packageFolder, 'native', 'lib')
    return { dataDir, copy, library, as: { copy, ...(isRoot && { uid: nobody }) } }
  }

  async function removeLinks(library: string): Promise<void> {
    for (const entry of await readdir(library, { withFileTypes: true }))
      if (entry.isSymbolicLink()) await rm(join(library, entry.name))
  }

  testAtNight(
    'a package that is read-only and has no links is copied to the data folder by a normal user',
    async () => {
      const { dataDir, as, library } = await copyOfProgram()
      await removeLinks(library)
      if (isRoot) await chown(library, 0, 0)
      await chmod(library, 0o555)
      const program = bench.startProgram(dataDir, {}, as)
      expect(await program.next('started', 'error')).toMatchObject({ event: 'started' })
      await program.stop()
      await chmod(library, 0o755)
      const copies = (await readdir(join(dataDir, 'postgres'))).filter((name) => name.startsWith('programs-'))
      expect(copies).toEqual([expect.stringMatching(/^programs-18\./)])
    },
  )

  test('a package that is missing is one line that ends with the way out', async () => {
    const { dataDir, as, copy } = await copyOfProgram()
    await rm(copy.packageFolder, { recursive: true })
    const { message } = await bench.startProgram(dataDir, {}, as).next('started', 'error')
    expect(message).toMatch(/^[^\n]*Falta o pacote[^\n]*defina DATABASE_URL$/)
    expect(await readdir(dataDir)).toEqual([])
  })
})

describe('the account for root', () => {
  const line = (name: string, uid: number) => ({ name, uid, gid: uid })
  const all = [line('root', 0), line('nobody', 65_534), line('postgres', 101), line('balcao', 999)]

  test('the account for root is our own, else postgres, else nobody, never one with root’s number', () => {
    expect(chooseAccount(all, 'balcao', undefined)?.name).toBe('balcao')
    expect(chooseAccount(all.slice(0, 3), 'balcao', undefined)?.name).toBe('postgres')
    expect(chooseAccount(all.slice(0, 2), 'balcao', undefined)?.name).toBe('nobody')
    expect(chooseAccount([line('root', 0), line('balcao', 0)], 'balcao', undefined)).toBeUndefined()
  })

  test('the account for root is the owner of an existing database, whoever that is', () => {
    expect(chooseAccount(all, 'balcao', 65_534)?.name).toBe('nobody')
    expect(chooseAccount(all, 'balcao', 4242)).toBeUndefined()
  })

  test('the account for root comes from lines that are accounts', () => {
    expect(parsePasswd('# x\n\nana:x:1000:1001:Ana,,,:/home/ana:/bin/sh\n+::::\n')).toEqual([
      { name: 'ana', uid: 1000, gid: 1001 },
    ])
  })
})

test('a pid file gives the pid and the socket’s folder when it has them', () => {
  expect(parsePidFile('123\n/data\n17\n5432\n/a b/run\n\n')).toEqual({ pid: 123, socketFolder: '/a b/run' })
  expect(parsePidFile('-123\n')).toEqual({ pid: 123 })
  expect(parsePidFile('12x\n/data')).toEqual({})
  expect(parsePidFile('')).toEqual({})
})

test('a socket folder with commas and quotes is one item of the server’s list', () => {
  const flags = serverArguments({ dataFolder: '/d', socketFolder: '/a, "b"/run', isDurable: true })
  expect(flags).toContain('unix_socket_directories="/a, ""b""/run"')
})

test('a long wait of the WAL writer never meets asynchronous commits', () => {
  const flags = (isDurable: boolean) => serverArguments({ dataFolder: '/d', socketFolder: '/r', isDurable })
  expect(flags(true)).toEqual(expect.arrayContaining(['fsync=on', 'wal_writer_delay=10s']))
  expect(flags(false)).toContain('synchronous_commit=off')
  expect(flags(false)).not.toContain('wal_writer_delay=10s')
})

test('only the program’s own user is let in, as one of our roles', () => {
  expect(identFile('balcao', 'an"a', ['postgres', 'balcao'])).toBe(
    'balcao "an""a" "postgres"\nbalcao "an""a" "balcao"\n',
  )
})

test('a socket stays in its home up to 100 bytes, counted in bytes', () => {
  const home = (letter: string, count: number) => `/${letter.repeat(count)}`
  const rest = '/run/.s.PGSQL.5432'.length + 1
  expect(socketFolderFor(home('a', 100 - rest), 'balcao')).toBe(`${home('a', 100 - rest)}/run`)
  expect(socketFolderFor(home('a', 101 - rest), 'balcao')).toMatch(/\/balcao-[0-9a-f]{16}$/)
  expect(socketFolderFor(home('ã', 60), 'balcao')).toMatch(/\/balcao-[0-9a-f]{16}$/)
})

test('a lock holder is described by program, process and machine', () => {
  expect(describeHolder('balcao demo 42 maquina-1')).toBe('balcao demo, processo 42, máquina maquina-1')
  expect(describeHolder('psql')).toBe('psql')
  expect(describeHolder('')).toBe('outro programa')
})
