import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Ended, Place } from './installation.ts'

/** Runs a program of another version until it ends on its own: a start that fails, or a command. */
export async function runIn(
  folder: string,
  { env }: Place,
  program: 'main' | 'cli',
  ...words: string[]
): Promise<Ended> {
  const flags = ['--disable-proto=delete', '--import', './scripts/right-node.mjs']
  const child = spawn(process.execPath, [...flags, `src/server/${program}.ts`, ...words], {
    cwd: folder,
    env: { ...process.env, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  })
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, said: `${out}${err}` }
}
