import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isFresh } from './built.mjs'
import { installedParts, projectFolder } from './start-line.ts'

// `npm run pack`: the built program as one file, balcao-VERSION.tar.gz, to be installed without building.

/** Besides the parts that run. */
const papers = [
  'package-lock.json',
  '.npmrc',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'compose.yaml',
]

/**
 * Packs what is built.
 * @param to a folder
 * @returns the path of the file
 * @throws Error unless web and server are built from the sources as they are
 */
export function pack(to: string, root: string = projectFolder): string {
  for (const part of ['web', 'server'] as const)
    if (!isFresh(part, root)) throw new Error('Build first: npm run build')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const name = `balcao-${version}`
  mkdirSync(to, { recursive: true })
  const file = join(to, `${name}.tar.gz`)
  const parts = [...installedParts, ...papers].filter((part) => existsSync(join(root, part)))
  const { status, stderr } = spawnSync(
    'tar',
    [
      '--create',
      '--gzip',
      `--file=${file}`,
      '--exclude=*.test.ts',
      '--exclude=web-before',
      // The same bytes from the same build.
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      `--transform=s,^,${name}/,S`,
      ...parts,
    ],
    { cwd: root, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`tar failed: ${stderr}`)
  return file
}

if (import.meta.main) {
  const [to = '.'] = parseArgs({ allowPositionals: true }).positionals
  console.log(pack(resolve(process.env['INIT_CWD'] ?? '.', to)))
}
