import assert from 'node:assert/strict'
import { chmod, chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copyProgram } from '#server/platform/embedded-postgres/testing/program-copy.ts'
import { query } from '#server/platform/embedded-postgres/testing/testing.ts'
import { type Case, type CaseEnvironment, real, textOf, timed } from '../case.ts'

/** An unprivileged account that every machine has. */
export const nobody = 65_534

/** Starts, writes a row, stops, starts again, reads the row, and stops. */
async function lives(at: CaseEnvironment, dataDir: string, name = 'balcao') {
  const logs: string[] = []
  const options = { ...real, name, log: ({ msg }: { msg: string }) => logs.push(msg) }
  const first = await timed(() => at.start(dataDir, options))
  await query(first.value.connection, 'create table kept as select 42 as answer')
  const { host } = first.value.connection
  const { home } = first.value
  const stop = await timed(() => first.value.stop())
  const again = await timed(() => at.start(dataDir, options))
  assert.deepEqual(await query(again.value.connection, 'select answer from kept'), [{ answer: 42 }])
  await again.value.stop()
  return { host, home, logs, figure: `start ${first.ms} ms, stop ${stop.ms} ms, again ${again.ms} ms` }
}

/** The same in a program of the unprivileged account, from a copy that the account can read. */
async function livesAsPerson(at: CaseEnvironment): Promise<string> {
  const folder = await at.makeDataDir()
  const copy = await copyProgram(join(folder, 'programa é nosso'))
  const dataDir = join(folder, 'Meus Projetos')
  await mkdir(dataDir)
  await chown(dataDir, nobody, nobody)
  at.alsoStop(join(dataDir, 'postgres'))
  const start = async () => {
    const program = at.startProgram(dataDir, real, { uid: nobody, copy })
    const event = await program.next('started', 'error')
    assert.equal(event.event, 'started', event.message)
    await program.stop()
    return event
  }
  const first = await timed(start)
  const again = await timed(start)
  assert.equal((await stat(join(dataDir, 'postgres', 'data'))).uid, nobody)
  assert.ok(!(first.value.logs ?? []).join().includes('nobody'), 'it mentions another account')
  return `whole process ${first.ms} ms, again ${again.ms} ms`
}

async function livesOutOfReach(at: CaseEnvironment): Promise<string> {
  const name = `balcaovida${process.pid}`
  const parent = await mkdtemp(join('/root', '.balcao-vida-'))
  at.onClear(() => rm(parent, { recursive: true, force: true }))
  at.onClear(() => rm(join('/var/lib', name), { recursive: true, force: true }))
  const dataDir = join(parent, 'dados')
  await chmod(parent, 0o700)
  const { home, logs, figure } = await lives(at, dataDir, name)
  assert.equal(dirname(home), join('/var/lib', name))
  assert.equal((await stat(join('/var/lib', name))).mode & 0o777, 0o755)
  assert.equal((await stat(home)).mode & 0o777, 0o700)
  assert.equal((await textOf(dataDir, 'ONDE-ESTA-O-BANCO.txt'))?.split('\n')[1], home)
  assert.match(logs.join('\n'), /não alcança/)
  return figure
}

async function livesInSystemFolder(at: CaseEnvironment): Promise<string> {
  const name = `balcaovida${process.pid}`
  const dataDir = join('/var/lib', name)
  at.onClear(() => rm(dataDir, { recursive: true, force: true }))
  await mkdir(dataDir, { mode: 0o711 })
  const { home, figure } = await lives(at, dataDir, name)
  assert.equal(home, join(dataDir, 'postgres'))
  assert.equal((await stat(dataDir)).mode & 0o777, 0o711, 'the data folder was opened')
  assert.equal(await textOf(dataDir, 'ONDE-ESTA-O-BANCO.txt'), undefined)
  return figure
}

async function livesFarAway(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir(
    Array.from({ length: 4 }, () => 'muito-comprido-'.repeat(10)).join('/'),
  )
  const { host, logs, figure } = await lives(at, dataDir)
  at.onClear(() => rm(host, { recursive: true, force: true }))
  assert.equal(dirname(host), tmpdir())
  const { mode } = await stat(host)
  assert.equal(mode & 0o777, 0o700)
  assert.match(logs.join('\n'), /prefira uma DATA_DIR mais curta/)
  return `${Buffer.byteLength(dataDir)} bytes, ${figure}`
}

async function refusesUnknownAccount(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir('d', 4242)
  const copy = await copyProgram(join(dirname(dataDir), 'programa'))
  const program = at.startProgram(dataDir, real, { uid: 4242, copy })
  const { ms, value } = await timed(() => program.next('started', 'error'))
  assert.match(value.message ?? '', /^[^\n]*4242 não tem linha em \/etc\/passwd[^\n]*defina DATABASE_URL$/)
  return `${ms} ms`
}

const names = ['Meus Dados', 'balcão é nosso', `"aspas" e 'simples'`, 'a, b; $HOME \\ % # (x) & * ~ ! `id`']

export const placeCases: Case[] = [
  {
    name: 'place: folder in /tmp, with the account that starts',
    run: async (at) => (await lives(at, await at.makeDataDir())).figure,
  },
  {
    name: 'place: root with the folder below /root (0700) goes to /var/lib',
    needsRoot: true,
    run: livesOutOfReach,
  },
  { name: 'place: root with the folder in /var/lib/<name>', needsRoot: true, run: livesInSystemFolder },
  { name: 'place: plain user, path with spaces and accents', needsRoot: true, run: livesAsPerson },
  { name: 'place: account without a line in /etc/passwd', needsRoot: true, run: refusesUnknownAccount },
  ...names.map((name) => ({
    name: `place: path ${name}`,
    run: async (at: CaseEnvironment) => (await lives(at, await at.makeDataDir(name))).figure,
  })),
  { name: 'place: path of more than 100 bytes', run: livesFarAway },
]
