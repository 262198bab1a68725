import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Whether what is in dist/ was built from these sources. In JavaScript, as all that starts the built program:
// for its first file of TypeScript, Node loads a compiler of some 30 MB.

/** The folder of the installation. */
export const projectFolder = join(import.meta.dirname, '..')

/**
 * What each part is built from. A folder stands for all files below it, except tests.
 * @type {Record<Part, string[]>}
 */
const sources = {
  server: [
    'src/server',
    'src/shared',
    'src/simulator',
    'scripts/build-server.ts',
    'scripts/licenses.ts',
    'package.json',
    'package-lock.json',
  ],
  web: [
    'src/web',
    'src/shared',
    'src/simulator',
    'vite.config.ts',
    'scripts/licenses.ts',
    'tsconfig.base.json',
    'package-lock.json',
  ],
}

/** @typedef {'server' | 'web'} Part */

/**
 * Digests of the sources, in hexadecimal: `times` of names, sizes and times of change (not of modification,
 * which may be set back), which is quick; `contents` of names and contents, which is the same for a copy.
 * @typedef {{ times: string, contents: string }} Stamp
 */

/** @param {Part} part @param {string} root */
const stampFile = (part, root) => join(root, 'dist', `${part}.stamp`)

/**
 * @param {Part} part
 * @param {string} root
 * @returns {string[]} the files that it is built from, in order
 */
function filesOf(part, root) {
  /** @type {string[]} */
  const files = []
  /** @param {string} folder */
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else if (!/\.test\.tsx?$/.test(path)) files.push(path)
    }
  }
  for (const source of sources[part]) {
    if (!existsSync(join(root, source))) continue
    if (source.startsWith('src/')) walk(source)
    else files.push(source)
  }
  return files.sort()
}

/** @param {string[]} files @param {string} root */
function timesOf(files, root) {
  const lines = files.map((file) => {
    const { size, ctimeMs } = statSync(join(root, file))
    return `${file}:${size}:${ctimeMs}\n`
  })
  return createHash('sha256').update(lines.join('')).digest('hex')
}

/** @param {string[]} files @param {string} root */
function contentsOf(files, root) {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}:${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/**
 * Take it before building: what is changed meanwhile is then not what was built.
 * @param {Part} part
 * @returns {Stamp}
 */
export function stampOf(part, root = projectFolder) {
  const files = filesOf(part, root)
  return { times: timesOf(files, root), contents: contentsOf(files, root) }
}

/** @param {Part} part @param {Stamp} stamp */
export function writeStamp(part, stamp, root = projectFolder) {
  // Another start may be reading it.
  const written = `${stampFile(part, root)}.${process.pid}`
  writeFileSync(written, `${JSON.stringify(stamp)}\n`)
  renameSync(written, stampFile(part, root))
}

/** What is built from now on is not yet whole. @param {Part} part */
export function removeStamp(part, root = projectFolder) {
  rmSync(stampFile(part, root), { force: true })
}

/**
 * Puts the web that is replaced now beside the new one, since pages that are open load parts of it when they
 * need them. Does so only for a whole one, and not for one of the same sources, which the new one will equal.
 * @param {Stamp} next of the sources that are built from now on
 */
export function keepWebBefore(next, root = projectFolder) {
  const web = join(root, 'dist', 'web')
  if (!existsSync(stampFile('web', root)) || !existsSync(web)) return
  if (readStamp('web', root).contents === next.contents) return
  rmSync(`${web}-before`, { recursive: true, force: true })
  renameSync(web, `${web}-before`)
}

/** @param {Part} part @param {string} root @returns {Stamp} */
const readStamp = (part, root) => JSON.parse(readFileSync(stampFile(part, root), 'utf8'))

/**
 * Whether a part has been built from the sources as they are now, or has no sources here, as in an image.
 * @param {Part} part
 */
export function isFresh(part, root = projectFolder) {
  if (!existsSync(stampFile(part, root))) return false
  if (!existsSync(join(root, 'src'))) return true
  const stamp = readStamp(part, root)
  const files = filesOf(part, root)
  const times = timesOf(files, root)
  if (times === stamp.times) return true
  if (contentsOf(files, root) !== stamp.contents) return false
  try {
    writeStamp(part, { ...stamp, times }, root)
  } catch {
    // The folder belongs to another account: the contents are read at each start.
  }
  return true
}
