import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectFolder } from './start-line.ts'
import { freePort } from '../src/server/testing/servers/free-port.ts'

interface BootOptions {
  /** The program to start, and Node's flags before it. */
  program: string
  flags?: string[]
  /** Where it is started; the project's folder by default. */
  folder?: string
  env?: NodeJS.ProcessEnv
  /** How long it may take until `/readyz` answers 200; a first start creates a database. */
  readyTimeoutMs: number
  /** How long the process may take to exit after SIGTERM. */
  stopTimeoutMs: number
  /** What else is looked at while it runs. Throws when that is wrong. */
  examine?: (running: RunningServer) => Promise<void>
}

export interface RunningServer {
  address: string
  env: NodeJS.ProcessEnv
  /** All that it has printed until now. */
  printed: () => string
}

/** Starts a program and keeps its output. */
export function start(
  args: string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): { child: ChildProcess; printed: () => string } {
  const chunks: string[] = []
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  }
  return { child, printed: () => chunks.join('') }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

async function untilReady(address: string, child: ChildProcess, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let last = 'nothing answered'
  while (Date.now() < deadline) {
    if (!isRunning(child)) throw new Error(`The server ended by itself, code ${child.exitCode}`)
    try {
      const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) })
      if (answer.status === 200) return
      last = `${answer.status} ${await answer.text()}`
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
    await sleep(100)
  }
  throw new Error(`/readyz was not 200 within ${timeoutMs} ms: ${last}`)
}

async function expectHtml(address: string): Promise<void> {
  const answer = await fetch(address, { headers: { accept: 'text/html' } })
  const body = await answer.text()
  if (answer.status !== 200 || !/<!doctype html>/i.test(body))
    throw new Error(`GET / did not serve the page: ${answer.status} ${body.slice(0, 200)}`)
}

async function expectCleanStop(child: ChildProcess, timeoutMs: number): Promise<void> {
  child.kill('SIGTERM')
  if (isRunning(child)) await Promise.race([once(child, 'exit'), sleep(timeoutMs, undefined, { ref: false })])
  if (isRunning(child)) throw new Error(`The server was still running ${timeoutMs} ms after SIGTERM`)
  if (child.exitCode !== 0)
    throw new Error(`After SIGTERM the exit code was ${child.exitCode ?? child.signalCode}, not 0`)
}

/**
 * Starts the server as a fresh installation does, with an empty data folder and without DATABASE_URL. It must
 * become ready, serve the page, and exit with code 0 on SIGTERM without leaving a database server.
 * @throws Error with the end of the server's output
 */
export async function bootCheck({
  program,
  flags = [],
  folder = projectFolder,
  env: more = {},
  readyTimeoutMs,
  stopTimeoutMs,
  examine,
}: BootOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'balcao-boot-'))
  // Started by root, the embedded database runs under another account, which needs access to this folder.
  chmodSync(home, 0o755)
  const port = await freePort()
  const { DATABASE_URL: _left, ...inherited } = process.env
  const env = { ...inherited, ...more, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: join(home, 'data') }
  const { child, printed } = start([...flags, program], { cwd: folder, env })
  try {
    const address = `http://127.0.0.1:${port}`
    await untilReady(address, child, readyTimeoutMs)
    await expectHtml(address)
    await examine?.({ address, env, printed })
    await expectCleanStop(child, stopTimeoutMs)
    const [pidFile] = globSync('**/postmaster.pid', { cwd: home })
    if (pidFile) throw new Error(`The database was not stopped: ${pidFile} is still there`)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${printed().slice(-4000)}`, {
      cause: error,
    })
  } finally {
    if (isRunning(child)) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(home, { recursive: true, force: true })
  }
}
