import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '#server/testing/servers/free-port.ts'
import { until } from '../support/waiting.ts'
import type { Ended } from '../upgrades/installation.ts'

/** The account of the service, which owns its state and nothing of the program. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/** @throws Error unless run by root */
export function makeAccount(name: string): Account & { remove(): void } {
  must('useradd', ['--system', '--shell', '/usr/sbin/nologin', name], '/')
  const idOf = (flag: string) => Number(must('id', [flag, name], '/').trim())
  return { name, uid: idOf('-u'), gid: idOf('-g'), remove: () => void spawnSync('/usr/sbin/userdel', [name]) }
}

/** A folder that others may read, as `/opt` is. */
export function makeOpenFolder(name: string): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `balcao-${name}-`))
  chmodSync(folder, 0o755)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A machine on which the program is installed as a service: its file of variables, and its state. */
export interface Machine {
  /** The program's folder, `/opt/balcao` on the page. */
  home: string
  /** `/var/lib/balcao` on the page. */
  state: string
  /** `balcao-admin`, as root runs it. */
  admin(...words: string[]): Promise<Ended>
  /** What systemd does with the unit. */
  start(more?: Record<string, string>): Promise<Service>
}

/** A running service. */
export interface Service {
  url: string
  /** What its journal has. */
  journal(): string
  /** @returns how it ended: 0 after a stop in order */
  stop(): Promise<string>
}

/** @param variables the lines of `/etc/balcao.env` */
export function makeMachine(
  home: string,
  account: Account,
  variables: Record<string, string>,
  defer: (close: () => unknown) => void,
): Machine {
  const { folder, remove } = makeOpenFolder('machine')
  defer(remove)
  const [state, cache, file] = [join(folder, 'state'), join(folder, 'cache'), join(folder, 'balcao.env')]
  // StateDirectory and CacheDirectory of the unit.
  for (const own of [state, cache]) {
    mkdirSync(own, { mode: 0o700 })
    chownSync(own, account.uid, account.gid)
  }
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  const placed = (value: string) =>
    value
      .replaceAll('/opt/balcao', home)
      .replaceAll('/var/lib/balcao', state)
      .replaceAll('/var/cache/balcao', cache)
  return {
    home,
    state,

    async admin(...words) {
      const child = spawn(join(home, 'deploy', 'balcao-admin'), words, {
        cwd: folder,
        env: {
          PATH: nodePath(),
          HOME: '/root',
          BALCAO_ENV: file,
          BALCAO_ACCOUNT: account.name,
          DATA_DIR: state,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 300_000,
      })
      const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
      const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
      return { code, said: `${out}${err}` }
    },

    async start(more = {}) {
      const { command, environment } = readUnit(join(home, 'deploy', 'balcao.service'))
      const port = await freePort()
      const own = Object.entries(environment).map(([name, value]) => [name, placed(value)])
      const env = { ...Object.fromEntries(own), ...variables, PORT: String(port), ...more }
      // The Node of this machine is 24.
      env.PATH = env.PATH?.replace(':/usr/local/bin', `:${nodePath()}`)
      const [program = '', ...words] = command
      const child = spawn(program, words, {
        cwd: home,
        env,
        uid: account.uid,
        gid: account.gid,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let journal = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (chunk: string) => (journal += chunk))
      defer(() => void child.kill('SIGKILL'))
      const url = `http://127.0.0.1:${port}`
      await until(
        'the service is ready',
        async () => {
          if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${journal}`)
          return (await fetch(`${url}/readyz`).catch(() => undefined))?.status
        },
        (status) => status === 200,
        180_000,
      )
      return { url, journal: () => journal, stop: () => stopProcess(child) }
    },
  }
}

/** Where Node 24 is on the machine, for a program whose packages do not bring it. */
const nodePath = () => `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`

async function stopProcess(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  return String(child.signalCode ?? child.exitCode)
}

/** The command of a unit, and its variables. */
function readUnit(file: string): { command: string[]; environment: Record<string, string> } {
  const lines = readFileSync(file, 'utf8').split('\n')
  const valuesOf = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
  const environment = valuesOf('Environment').map((line) => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  })
  return { command: valuesOf('ExecStart')[0]?.split(' ') ?? [], environment: Object.fromEntries(environment) }
}

/** Runs a program to its end. @returns what it printed @throws Error when it fails */
export function must(program: string, words: readonly string[], cwd: string): string {
  const { status, error, stdout, stderr } = spawnSync(program, words, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: nodePath() },
    maxBuffer: 64 * 1_048_576,
  })
  if (status !== 0)
    throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? `${stdout}${stderr}`.slice(-2000)}`)
  return stdout
}
