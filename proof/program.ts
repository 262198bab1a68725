import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'src', 'server', 'main.ts')

/** The program in a process of its own, to be ended without a warning and started again. */
export class Program {
  readonly url: string
  readonly #dataDir: string
  readonly #port: number
  #child: ChildProcess

  private constructor(dataDir: string, port: number) {
    this.#dataDir = dataDir
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
    this.#child = this.#spawn()
  }

  static async start(dataDir: string): Promise<Program> {
    const program = new Program(dataDir, await freePort())
    await program.#ready()
    return program
  }

  /** @returns milliseconds until it served again */
  async killAndRestart(): Promise<number> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await gone
    const start = performance.now()
    this.#child = this.#spawn()
    await this.#ready()
    return Math.round(performance.now() - start)
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGTERM')
    await gone
  }

  #spawn(): ChildProcess {
    const env = { ...process.env, DATA_DIR: this.#dataDir, PORT: String(this.#port), LOG_LEVEL: 'error' }
    return spawn(process.execPath, [main, '--demo'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }

  async #ready(): Promise<void> {
    const deadline = performance.now() + 120_000
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error(`o programa terminou com ${this.#child.exitCode}`)
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined)
      if (answer?.ok) return
      if (performance.now() > deadline) throw new Error('o programa não respondeu em 2 minutos')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
