import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { chown, lstat, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from '#server/platform/embedded-postgres/testing/testing.ts'
import { type Case, type CaseEnvironment, eventually, real, spread, timed } from '../case.ts'
import { processRow } from '../../support/processes.ts'

const rest = (dataDir: string) =>
  `\n${dataDir}\n1700000000\n5432\n${dataDir}/postgres/run\n\n  12345678   99999\nready   \n`

const deadPid = 2_147_483_000

interface Lie {
  name: string
  text: (pids: { stranger: number; zombie: number }, dataDir: string) => string
}

const lies: Lie[] = [
  { name: 'pid of a dead process', text: (_, dataDir) => `${deadPid}${rest(dataDir)}` },
  { name: 'pid 1', text: (_, dataDir) => `1${rest(dataDir)}` },
  {
    name: 'pid of a living stranger of the same account',
    text: ({ stranger }, dataDir) => stranger + rest(dataDir),
  },
  { name: 'pid of a zombie', text: ({ zombie }, dataDir) => zombie + rest(dataDir) },
  { name: 'empty', text: () => '' },
  { name: 'garbage without the memory line', text: () => 'this is not a number\nnor this' },
  { name: 'garbage with the memory line', text: (_, dataDir) => `garbage${rest(dataDir)}` },
  { name: 'binary garbage', text: () => '\0\u0001\u0002\n\n\n\n\n\n\u00ff\u00ff\n' },
  { name: 'impossible number', text: (_, dataDir) => `99999999999999999999${rest(dataDir)}` },
]

function asAccount(uid: number, command: string): ChildProcess {
  const identity = process.getuid?.() === 0 ? { uid, gid: uid } : {}
  return spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/', ...identity })
}

function firstLine(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.stdout?.once('data', (data: Buffer) => resolve(Number(data))))
}

/** A running process and a zombie of the server's account: PostgreSQL takes either for its predecessor. */
async function makeStrangers(
  at: CaseEnvironment,
  uid: number,
): Promise<{ stranger: number; zombie: number }> {
  const living = asAccount(uid, 'echo $$; exec sleep 300')
  const parent = asAccount(uid, 'sleep 0.1 & echo $!; exec sleep 300')
  at.onClear(() => living.kill('SIGKILL') && parent.kill('SIGKILL'))
  const [stranger, zombie] = await Promise.all([firstLine(living), firstLine(parent)])
  await eventually('the zombie', async () => ((await processRow(zombie))?.state === 'Z' ? true : undefined))
  return { stranger, zombie }
}

async function startsDespite(at: CaseEnvironment, lie: Lie): Promise<string> {
  const dataDir = await at.makeDataDir()
  await (await at.start(dataDir, real)).stop()
  const dataFolder = join(dataDir, 'postgres', 'data')
  const { uid, gid } = await stat(dataFolder)
  const pids = await makeStrangers(at, uid)
  const figures: number[] = []
  for (const also of ['nada', 'socket lock', 'socket e lock']) {
    const text = lie.text(pids, dataDir)
    await plant(join(dataFolder, 'postmaster.pid'), text, { uid, gid })
    const socket = join(dataDir, 'postgres', 'run', '.s.PGSQL.5432')
    if (also !== 'nada') await plant(`${socket}.lock`, text, { uid, gid })
    if (also === 'socket e lock') await plant(socket, '', { uid, gid })
    const { ms, value } = await timed(() => at.start(dataDir, real))
    figures.push(ms)
    assert.deepEqual(await query(value.connection, 'select 1 as one'), [{ one: 1 }])
    await value.stop()
    await assert.rejects(lstat(join(dataFolder, 'postmaster.pid')), /ENOENT/)
  }
  assert.equal((await processRow(pids.stranger))?.state, 'S', 'the stranger was killed')
  await noComplaint(dataDir)
  return spread(figures)
}

async function plant(path: string, text: string, owner: { uid: number; gid: number }): Promise<void> {
  await writeFile(path, text, { mode: 0o600 })
  // A recent empty file may belong to a starting server, which gets a second.
  await utimes(path, 1_700_000_000, 1_700_000_000)
  if (process.getuid?.() === 0) await chown(path, owner.uid, owner.gid)
}

/** Checks that no launch was refused meanwhile. */
async function noComplaint(dataDir: string): Promise<void> {
  const log = await readFile(join(dataDir, 'postgres', 'postgres.log'), 'utf8')
  assert.deepEqual(
    log.split('\n').filter((line) => line.includes('lock file')),
    [],
  )
}

export const pidFileCases: Case[] = lies.map((lie) => ({
  name: `pid: ${lie.name}`,
  run: (at) => startsDespite(at, lie),
}))
