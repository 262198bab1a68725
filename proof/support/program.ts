import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { freePort } from '#server/testing/servers/free-port.ts'
import { projectFolder, startLine } from '../../scripts/start-line.ts'

export interface ProgramSettings {
  args: string[]
  env: Record<string, string>
  /** The program's log file; without it, only errors are shown. */
  logFile?: string
  /** Of the program; that of this one by default. */
  folder?: string
}

/** The program in a child process, which may be killed and restarted. */
export class Program {
  readonly url: string
  readonly port: number
  readonly #settings: ProgramSettings
  #child: ChildProcess
  #isStopped = false

  private constructor(settings: ProgramSettings, port: number) {
    this.#settings = settings
    this.port = port
    this.url = `http://127.0.0.1:${port}`
    this.#child = this.#spawn({})
  }

  /**
   * Starts the program on a free port and waits until it serves.
   * @param what the data folder of a demonstration, or all options
   */
  static async start(what: string | ProgramSettings): Promise<Program> {
    const settings = typeof what === 'string' ? { args: ['--demo'], env: { DATA_DIR: what } } : what
    const program = new Program(settings, await freePort())
    try {
      await program.ready()
    } catch (error) {
      await program.kill()
      throw error
    }
    return program
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The exit code or signal of an ended process. */
  get ending(): string {
    return String(this.#child.signalCode ?? this.#child.exitCode)
  }

  /** Resolves when the process has ended; to false if it still runs after `withinMs`. */
  async gone(withinMs: number): Promise<boolean> {
    if (!this.isRunning) return true
    const timeout = AbortSignal.timeout(withinMs)
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve(true))
      timeout.addEventListener('abort', () => resolve(!this.isRunning))
    })
  }

  /** Sends SIGKILL, and waits until the process has ended. */
  async kill(): Promise<void> {
    if (this.isRunning) this.#child.kill('SIGKILL')
    await this.gone(60_000)
  }

  /** @returns milliseconds until it served again */
  async restart(env: Record<string, string> = {}): Promise<number> {
    if (this.#isStopped) throw new Error('the program was stopped')
    const start = performance.now()
    this.#child = this.#spawn(env)
    await this.ready()
    return Math.round(performance.now() - start)
  }

  /** @returns milliseconds until it served again */
  async killAndRestart(): Promise<number> {
    await this.kill()
    return this.restart()
  }

  /** Sends SIGTERM, and waits until the process has ended. It may be started again. */
  async end(): Promise<void> {
    if (this.isRunning) this.#child.kill('SIGTERM')
    await this.gone(60_000)
  }

  /** Stops the program for good. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.end()
  }

  /** @throws Error if it exits, or does not serve within two minutes */
  async ready(): Promise<void> {
    const deadline = performance.now() + 120_000
    for (;;) {
      if (!this.isRunning) throw new Error(`the program exited with ${this.ending}`)
      if (await this.#isServing().catch(() => false)) return
      if (performance.now() > deadline) throw new Error('the program did not answer within 2 minutes')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Whether it is ready, or not ready only because of a filled inbox, which is expected after faults. */
  async #isServing(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(10_000) })
    const { troubles } = (await answer.json()) as { troubles: string[] }
    return troubles.every((trouble) => trouble === 'inbox')
  }

  #spawn(more: Record<string, string>): ChildProcess {
    const { args, logFile, folder = projectFolder } = this.#settings
    const { flags, program: main } = startLine(folder)
    const env = {
      ...process.env,
      LOG_LEVEL: 'error',
      // Nobody's token is shown to the real service.
      GPT_MAKER_URL: 'http://127.0.0.1:1',
      ...this.#settings.env,
      ...more,
      PORT: String(this.port),
    }
    const log = logFile === undefined ? undefined : openSync(logFile, 'a')
    const child = spawn(process.execPath, [...flags, main, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', log ?? 'ignore', log ?? 'inherit'],
    })
    if (log !== undefined) closeSync(log)
    return child
  }
}
