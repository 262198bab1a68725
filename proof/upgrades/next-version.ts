import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import { projectFolder } from '../../scripts/start-line.ts'
import type { Ended, Place } from './installation.ts'

/** A program of a later version: this one, with more migrations. */
export interface NextVersion {
  folder: string
  /** Gives it these migrations, and no others besides ours. */
  plant(statements: readonly string[]): void
  remove(): void
}

export function makeNextVersion(): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-next-'))
  // With the times of the files, from which the program tells that the web is built.
  const parts = ['src', 'dist', 'scripts', 'package.json', 'package-lock.json', 'vite.config.ts']
  const { status, stderr } = spawnSync('cp', [
    '-a',
    ...parts.map((part) => join(projectFolder, part)),
    folder,
  ])
  if (status !== 0) throw new Error(`cp: ${String(stderr)}`)
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
  const migrations = join(folder, 'src', 'server', 'migrations')
  const journalFile = join(migrations, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: object[] }
  return {
    folder,
    plant(statements) {
      const planted = statements.map((statement, n) => {
        const tag = `${9000 + n}_planted`
        writeFileSync(join(migrations, `${tag}.sql`), statement)
        return { idx: 9000 + n, version: '7', when: schemaVersion + 1 + n, tag, breakpoints: true }
      })
      writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...journal.entries, ...planted] }))
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Runs a program of another version until it ends by itself: a start that fails, or a command. */
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
