import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import { projectFolder } from '../../scripts/start-line.ts'
import type { OtherVersion } from '../support/other-version.ts'

/** A program of a later version: this one, with more migrations. */
export interface NextVersion extends OtherVersion {
  /** Gives it these migrations, and no others besides ours. */
  plant(statements: readonly string[]): void
}

export function makeNextVersion(): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-next-'))
  // With what the web was built from, so that it is not built again.
  const configuration = ['package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.base.json']
  const parts = ['src', 'dist', 'scripts', ...configuration]
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
