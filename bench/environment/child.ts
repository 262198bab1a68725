import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#server/testing/servers/free-port.ts'

/** A server in a process of its own. */
export interface Child {
  url: string
  /** Milliseconds from start to first answer. */
  startMs: number
  /** Resident megabytes now; NaN except on Linux. */
  rssMb(): number
  /** Milliseconds of processor time so far; NaN except on Linux. */
  cpuMs(): number
  stop(): Promise<void>
  /** Sends SIGKILL. */
  kill(): Promise<void>
}

export interface ChildOptions {
  /** Relative to the project's folder. */
  script: string
  /** Flags of Node itself. */
  flags?: string[]
  env: Record<string, string>
  /** By default, any free one. */
  port?: number
}

const root = join(import.meta.dirname, '../..')
const startWithinMs = 60_000

/** Starts a program and waits for its first answer on /healthz, or any path that answers with any status. */
export async function startChild({ script, flags = [], env, port }: ChildOptions): Promise<Child> {
  const at = port ?? (await freePort())
  const started = performance.now()
  const child = spawn(process.execPath, [...flags, script], {
    cwd: root,
    env: { ...process.env, ...env, PORT: String(at) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${at}`
  await answers(url, child)
  const startMs = performance.now() - started
  const end = (signal: NodeJS.Signals) => async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  const { pid = 0 } = child
  return {
    url,
    startMs,
    rssMb: () => rssOf(pid),
    cpuMs: () => cpuOf(pid),
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startWithinMs
  for (;;) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer) return void (await answer.arrayBuffer())
    if (child.exitCode !== null) throw new Error(`the program exited with ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error('the program did not answer')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not Linux, or the process is gone.
    return undefined
  }
}

function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '')?.[1]) / 1024
}

/** Fields 14 and 15, counted after the name, in hundredths of a second. */
function cpuOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)?.split(') ')[1]?.split(' ')
  return (Number(fields?.[11]) + Number(fields?.[12])) * 10
}
