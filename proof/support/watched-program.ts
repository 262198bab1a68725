import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#server/testing/servers/free-port.ts'
import { projectFolder, startLine } from '../../scripts/start-line.ts'

const collector = join(import.meta.dirname, 'collect-garbage.ts')

/** Counts of what the program logged. */
export interface Seen {
  exits: number
  unhandled: number
  /** Log lines of level error by their text. */
  errors: Map<string, number>
  /** The first lines of each kind in full. */
  examples: Map<string, string>
}

/** In MiB. */
export interface Memory {
  rss: number
  heap: number
}

export interface WatchedProgram {
  url: string
  pid: number
  seen: Seen
  /** Its output so far, with `keepOutput`. */
  output(): string
  /** The memory after garbage collection and a short rest, in MiB. */
  memory(): Promise<Memory>
  stop(): Promise<void>
}

/**
 * Starts the program and watches its log, its exit and its memory.
 * @throws Error if it does not serve within two minutes
 */
export async function startWatched(options: {
  args?: string[]
  env: Record<string, string>
  keepOutput?: boolean
}): Promise<WatchedProgram> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { flags, program } = startLine()
  const watched = ['--expose-gc', '--import', collector]
  const child = spawn(process.execPath, [...flags, ...watched, program, ...(options.args ?? [])], {
    cwd: projectFolder,
    env: { ...process.env, ...options.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const seen: Seen = { exits: 0, unhandled: 0, errors: new Map(), examples: new Map() }
  const kept: string[] = []
  for (const stream of [child.stdout, child.stderr])
    listen(stream, seen, options.keepOutput ? kept : undefined)
  let isEnding = false
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve()
      if (isEnding) return
      seen.exits++
      process.stderr.write(`the program ended: ${code ?? signal}\n`)
    })
  })
  const stop = async () => {
    isEnding = true
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await gone
  }
  await isServing(child, url).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const pid = child.pid as number
  const memory = async () => {
    for (let n = 0; n < 3; n++) {
      process.kill(pid, 'SIGUSR2')
      await sleep(1000)
    }
    const rss = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const heap = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]) / 1_048_576
    return { rss, heap }
  }
  return { url, pid, seen, output: () => kept.join(''), memory, stop }
}

function listen(stream: NodeJS.ReadableStream | null, seen: Seen, kept: string[] | undefined): void {
  let rest = ''
  stream?.on('data', (chunk: Buffer) => {
    const text = chunk.toString('utf8')
    kept?.push(text)
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) note(line, seen)
  })
}

function note(line: string, seen: Seen): void {
  if (/unhandled|uncaught/i.test(line)) seen.unhandled++
  const level = Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0)
  const message = /"msg":"([^"]{1,80})"/.exec(line)?.[1]
  if (message === undefined) {
    if (/Error/.test(line)) process.stderr.write(`${line.slice(0, 500)}\n`)
    return
  }
  if (level < 50) return
  seen.errors.set(message, (seen.errors.get(message) ?? 0) + 1)
  if (!seen.examples.has(message)) seen.examples.set(message, line.slice(0, 1500))
}

async function isServing(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('the program did not answer')
    await sleep(100)
  }
}
