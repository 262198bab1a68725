import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..', '..')
export const webDir = join(root, 'dist', 'web')
const stampFile = join(root, 'dist', 'web.stamp')

/**
 * Builds the web when it is missing or older than its sources. An installation without sources comes with it
 * built.
 */
export async function ensureWebBuilt(print: (line: string) => void): Promise<void> {
  const stamp = stampOfSources()
  const isFresh =
    existsSync(join(webDir, 'index.html')) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === stamp
  if (isFresh) return
  print('Preparando a interface (só na primeira vez ou depois de uma atualização)...')
  await run(process.execPath, [
    join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '--logLevel',
    'warn',
  ])
  writeFileSync(stampFile, stamp)
}

/** Hash of the names, sizes and times of all files that the build reads. */
function stampOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(
    ['src/web/**/*', 'src/shared/**/*', 'src/simulator/**/*', 'vite.config.ts', 'package-lock.json'],
    { cwd: root },
  )
  for (const file of files.sort()) {
    const found = statSync(join(root, file))
    if (found.isFile()) hash.update(`${file}:${found.size}:${found.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    // Always the production build, whatever this process is run for.
    const env = { ...process.env, NODE_ENV: 'production' }
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`a interface não pôde ser preparada:\n${output}`)),
    )
  })
}
