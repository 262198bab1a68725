import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '../../scripts/start-line.ts'
import { MissingProgram } from './scenario.ts'

/** The program of another version, in a folder of its own. */
export interface OtherVersion {
  folder: string
  remove(): void
}

/**
 * Takes a version from the history of the repository, with the packages that it names, and builds its
 * screens.
 * @throws MissingProgram when the clone does not have the commit
 */
export function makeOtherVersion(commit: string, name = commit): OtherVersion {
  const has = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectFolder })
  if (has.status !== 0)
    throw new MissingProgram(
      `the history of this clone does not have the commit ${commit} of ${name}: git fetch --unshallow`,
    )
  const folder = mkdtempSync(join(tmpdir(), `balcao-${name}-`))
  try {
    // A copy, not a worktree: nothing is left in the repository when the proof is killed.
    const archive = join(folder, 'archive.tar')
    must('git', ['archive', '--output', archive, commit], projectFolder)
    must('tar', ['-xf', archive, '-C', folder], folder)
    rmSync(archive)
    if (arePackagesHere(folder))
      symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
    else must('npm', ['ci', '--no-audit', '--no-fund'], folder)
    must(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], folder)
    return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function must(program: string, words: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words[0]}: ${error?.message ?? stderr}`)
}

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean; optional?: boolean }>
}

/** Whether this checkout has installed every package that the other version needs, in the same version. */
function arePackagesHere(folder: string): boolean {
  const file = join(projectFolder, 'node_modules', '.package-lock.json')
  if (!existsSync(file)) return false
  const read = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as Lock).packages
  const here = read(file)
  return Object.entries(read(join(folder, 'package-lock.json'))).every(
    ([name, { version, dev = false, optional = false }]) =>
      name === '' || dev || optional || here[name]?.version === version,
  )
}
