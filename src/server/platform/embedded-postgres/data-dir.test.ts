import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { spread, testAtNight } from '#server/testing/nightly.ts'
import { socketFolderFor } from './data-dir.ts'
import { copyProgram, type ProgramCopy } from './testing/program-copy.ts'
import { makeBench, query } from './testing/testing.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const execute = promisify(execFile)
const bench = makeBench()
afterAll(() => bench.clear())

const isRoot = process.getuid?.() === 0
const nobody = 65_534

type Options = Parameters<typeof bench.start>[1]

async function expectService(dataDir: string, options: Options = {}): Promise<string> {
  const server = await bench.start(dataDir, options)
  expect(dirname(server.connection.host)).toSatisfy((parent) => [server.home, tmpdir()].includes(parent))
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  return server.connection.host
}

test.for(spread([`Meus Dados`, `atenção é "aspas" 'simples'`, `a, b; $HOME \\ % # (x) & *`], 1))(
  'PostgreSQL runs in a data folder called %s',
  async (name) => {
    const dataDir = await bench.makeDataDir(name)
    expect(await expectService(dataDir)).toBe(join(await realpath(dataDir), 'postgres', 'run'))
  },
)

testAtNight(
  'a path too long for a socket has its socket in a private folder in the temporary folder',
  async () => {
    const dataDir = await bench.makeDataDir(`${'comprido-'.repeat(12)}fim`)
    const logs: string[] = []
    const server = await bench.start(dataDir, { log: (line) => logs.push(line.msg) })
    expect(dirname(server.connection.host)).toBe(tmpdir())
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700)
    expect(logs.join('\n')).toContain('dois contêineres no mesmo volume não ficam protegidos')
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    await rm(server.connection.host, { recursive: true })
  },
)

test('a socket folder that others can read is closed, one that they can write is refused', async () => {
  const dataDir = await bench.makeDataDir(`${'comprido-'.repeat(12)}fim`)
  const folder = socketFolderFor(join(await realpath(dataDir), 'postgres'), 'balcao')
  await mkdir(folder)
  try {
    await chmod(folder, 0o755)
    await expectService(dataDir)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    await chmod(folder, 0o777)
    await expect(bench.start(dataDir)).rejects.toThrow('deveria ser só da conta')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a link instead of the private folder is refused, and its target left alone', async () => {
  const dataDir = await bench.makeDataDir()
  const elsewhere = join(dirname(dataDir), 'elsewhere')
  await mkdir(elsewhere, { mode: 0o755 })
  await symlink(elsewhere, join(dataDir, 'postgres'))
  await expect(bench.start(dataDir)).rejects.toThrow(/deveria ser só da conta .* defina DATABASE_URL$/)
  expect((await stat(elsewhere)).mode & 0o777).toBe(0o755)
})

describe('as root', () => {
  let folder = ''
  let copy: ProgramCopy
  beforeAll(async () => {
    if (!isRoot) return
    // Other accounts may not be able to read the checkout.
    folder = await mkdtemp(join(tmpdir(), 'balcao-copy-'))
    copy = await copyProgram(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  beforeEach((context) => context.skip(!isRoot, 'needs root'))

  testAtNight('a data folder that is the system folder itself is used as it is', async () => {
    const name = `balcaosistema${process.pid}`
    const dataDir = join('/var/lib', name)
    await mkdir(dataDir, { mode: 0o711 })
    try {
      expect(await expectService(dataDir, { name })).toBe(join(dataDir, 'postgres', 'run'))
      expect((await stat(dataDir)).mode & 0o777).toBe(0o711)
      await expect(access(join(dataDir, 'ONDE-ESTA-O-BANCO.txt'))).rejects.toThrow('ENOENT')
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('a folder that its account cannot reach has its database in /var/lib, and a note', async () => {
    const name = `balcaoteste${process.pid}`
    const systemFolder = join('/var/lib', name)
    const dataDir = await bench.makeDataDir()
    await chmod(dataDir, 0o700)
    const logs: string[] = []
    try {
      const host = await expectService(dataDir, { name, log: (line) => logs.push(line.msg) })
      expect(logs.join('\n')).toContain(`o banco fica em ${dirname(host)}, fora dessa pasta`)
      expect(dirname(dirname(host))).toBe(systemFolder)
      bench.alsoStop(dirname(host))
      expect((await stat(systemFolder)).mode & 0o777).toBe(0o755)
      expect((await stat(dirname(host))).mode & 0o777).toBe(0o700)
      expect(await readFile(join(dataDir, 'ONDE-ESTA-O-BANCO.txt'), 'utf8')).toContain(dirname(host))

      // The folder becomes reachable: no second, empty database may appear.
      await chmod(dataDir, 0o755)
      expect(await expectService(dataDir, { name })).toBe(host)

      await rename(dataDir, `${dataDir}-moved`)
      await expect(bench.start(`${dataDir}-moved`, { name })).rejects.toThrow('foi movida ou copiada')
    } finally {
      await rm(systemFolder, { recursive: true, force: true })
    }
  })

  testAtNight('a database in the folder that went out of reach is not replaced by an empty one', async () => {
    const dataDir = await bench.makeDataDir()
    await expectService(dataDir)
    await chmod(dataDir, 0o700)
    await expect(bench.start(dataDir)).rejects.toThrow('não alcança o banco de dados')
    await chmod(dataDir, 0o755)
    await expectService(dataDir)
  })

  testAtNight('the database of a normal user keeps its owner, and stays open to that user', async () => {
    const dataDir = await bench.makeDataDir('d', nobody)
    const program = bench.startProgram(dataDir, {}, { uid: nobody, copy })
    const { connection } = await program.next('started')
    // We are root and not the program's user, and peer authentication admits nobody else.
    await expect(query(connection!, 'select 1')).rejects.toThrow(/peer authentication failed/i)
    await program.stop()
    await expectService(dataDir)
    expect((await stat(join(dataDir, 'postgres', 'data'))).uid).toBe(nobody)
    const again = bench.startProgram(dataDir, {}, { uid: nobody, copy })
    expect((await again.next('started', 'error')).event).toBe('started')
    await again.stop()
  })

  test('an account without a line in /etc/passwd is refused in clear words', async () => {
    const dataDir = await bench.makeDataDir('d', 4242)
    const event = await bench.startProgram(dataDir, {}, { uid: 4242, copy }).next('started', 'error')
    expect(event.message).toMatch(/4242 não tem linha em \/etc\/passwd.*DATABASE_URL$/)
  })

  /** A folder on a disk of its own. */
  async function mounted(options: string): Promise<string | undefined> {
    const dataDir = await bench.makeDataDir()
    const isMounted = await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dataDir]).catch(
      () => false,
    )
    if (!isMounted) return undefined
    onTestFinished(async () => void (await execute('umount', ['--lazy', dataDir])))
    return dataDir
  }

  test.for([
    ['read-only', 'ro', /defina DATABASE_URL$/],
    ['full', 'size=12m,mode=755', /No space left[^\n]*defina DATABASE_URL$/],
  ] as const)('a disk that is %s is refused in one line, and nothing half stays', async (each, { skip }) => {
    const [, options, words] = each
    const dataDir = await mounted(options)
    if (dataDir === undefined) return skip('needs mount')
    const { message = '' } = await bench.startProgram(dataDir).next('started', 'error')
    expect(message).toMatch(words)
    expect(message).not.toContain('\n')
    expect(await readdir(join(dataDir, 'postgres')).catch(() => ['run'])).toEqual(['run'])
  })
})
