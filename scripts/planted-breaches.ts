import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** What the linter reads: the sources, its rules, and the configuration of the types. */
const linted = ['src', 'e2e', 'scripts', 'oxlint.config.ts', 'walls.ts', 'package.json']
const types = ['tsconfig.json', 'tsconfig.base.json']
const generated = new Set(['migrations', 'output', 'payloads'])

/** A finding of the linter. */
export interface Finding {
  code: string
  message: string
  severity: 'error' | 'warning'
  help?: string
  /** Relative to the root of the repository. */
  filename: string
}

/** A file that breaks a rule on purpose; `{partner}` in its code is the name of the next planted file. */
export interface PlantedFile {
  folder: string
  code: string
  ending?: 'ts' | 'tsx' | 'test.ts'
}

/** A copy of the sources in which something may be planted while others compile and lint the real ones. */
function copyOfSources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'balcao-walls-'))
  for (const name of [...linted, ...types])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !generated.has(basename(path)),
    })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function lint(folder: string, files: string[]): Promise<Finding[]> {
  return new Promise((resolve, reject) => {
    const linter = join(root, 'node_modules/.bin/oxlint')
    const args = [linter, '--type-aware', '-f', 'json', ...files]
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout, stderr) => {
      // The exit code is not 0 when there are findings, so only the output tells whether the linter ran.
      if (stdout.trimStart().startsWith('{'))
        resolve((JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics)
      else reject(new Error(`The linter did not report: ${stdout}${stderr}`))
    })
  })
}

/**
 * Writes all files to their folders in a copy of the sources, and runs the linter once on them.
 * @returns the findings of each group of files
 */
export async function findingsOf(groups: PlantedFile[][]): Promise<Finding[][]> {
  const planted = groups.map((files) =>
    files.map((file) => ({
      ...file,
      name: `planted-breach-${randomBytes(6).toString('hex')}.${file.ending ?? 'ts'}`,
    })),
  )
  const all = planted.flat()
  const pathOf = ({ folder, name }: { folder: string; name: string }) => join(folder, name)
  const copy = copyOfSources()
  try {
    for (const files of planted)
      for (const [index, file] of files.entries()) {
        const partner = files[(index + 1) % files.length]?.name ?? ''
        const path = join(copy, pathOf(file))
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, `// @ts-nocheck\n${file.code.replaceAll('{partner}', partner)}\n`)
      }
    const found = Map.groupBy(await lint(copy, all.map(pathOf)), ({ filename }) => filename)
    return planted.map((files) => files.flatMap((file) => found.get(pathOf(file)) ?? []))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
