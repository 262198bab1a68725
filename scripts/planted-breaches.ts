import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const linter = join(root, 'node_modules/.bin/oxlint')
const leftoverAgeMs = 10 * 60_000

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

/** Creates a folder. @returns a function that removes what was created, as far as it is empty */
function makeFolder(folder: string): () => void {
  const made = mkdirSync(folder, { recursive: true })
  return () => {
    if (!made) return
    for (let place = folder; place.length >= made.length; place = dirname(place))
      if (existsSync(place) && readdirSync(place).length === 0) rmdirSync(place)
  }
}

function lint(files: string[]): Promise<Finding[]> {
  return new Promise((resolve, reject) => {
    const args = [linter, '--type-aware', '-f', 'json', ...files]
    execFile(process.execPath, args, { cwd: root }, (_error, stdout, stderr) => {
      // The exit code is not 0 when there are findings, so only the output tells whether the linter ran.
      if (stdout.trimStart().startsWith('{'))
        resolve((JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics)
      else reject(new Error(`The linter did not report: ${stdout}${stderr}`))
    })
  })
}

/**
 * Writes all files to their folders, runs the linter once on them, and removes them.
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
  const removeFolders = all.map((file) => makeFolder(join(root, file.folder)))
  try {
    for (const files of planted)
      for (const [index, file] of files.entries()) {
        const partner = files[(index + 1) % files.length]?.name ?? ''
        // The compiler may run at the same time.
        const code = `// @ts-nocheck\n${file.code.replaceAll('{partner}', partner)}\n`
        writeFileSync(join(root, pathOf(file)), code)
      }
    const found = Map.groupBy(await lint(all.map(pathOf)), ({ filename }) => filename)
    return planted.map((files) => files.flatMap((file) => found.get(pathOf(file)) ?? []))
  } finally {
    for (const file of all) rmSync(join(root, pathOf(file)), { force: true })
    for (const removeFolder of removeFolders) removeFolder()
  }
}

/** Removes the files of killed runs. A recent file may belong to a run in progress. */
export function removeLeftovers(): void {
  for (const path of globSync('{src,e2e}/**/planted-breach-*', { cwd: root })) {
    const found = statSync(join(root, path), { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > leftoverAgeMs) rmSync(join(root, path), { force: true })
  }
}
