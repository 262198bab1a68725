import { spawn } from 'node:child_process'
import { type Account, identityOf } from './account.ts'

interface RunResult {
  code: number | null
  output: string
}

/** The environment of PostgreSQL's programs, without our secrets. */
export function reducedEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/**
 * Runs a program as the account to its end. `output` contains stdout and stderr. The program gets a session
 * of its own, so that Ctrl+C in the terminal reaches only us. Rejects with the system's error (ENOENT,
 * EACCES) when it cannot be started.
 */
export function run(account: Account, file: string, args: string[]): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...identityOf(account),
      // The account may not be able to read our working directory.
      cwd: '/',
      env: reducedEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-20_000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output: output.trim() }))
  })
}
