import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'vite'
import { aboveRooms, serverRooms } from '../walls.ts'
import { changedParts, lists } from './rooms.ts'

// Which tests of the server a check runs besides those of `npm test`, and why: those whose room has changed,
// or what they import, since the commit that was merged last.

const root = join(import.meta.dirname, '..')

/** The commit that was merged last: all since then is tested. */
const mergedFile = '.ci/merged'

/** A test file that is to run, and the change that is the reason. */
export interface Chosen {
  file: string
  because: string
}

/** Folders of `shared` with another name than the room that they belong to. */
const sharedRooms: Readonly<Record<string, string>> = {
  messages: 'conversations',
  scheduled: 'conversations',
}

const bases = [
  /^src\/server\/(platform|schema|migrations|testing)\//,
  /^src\/server\/[^/]+\.ts$/,
  /^src\/shared\/[^/]+\.ts$/,
  /^src\/simulator\/(?!page\/)/,
  /^(package-lock\.json|vitest\.config\.ts|tsconfig\.base\.json|scripts\/right-node\.mjs)$/,
]

/** Of the lists of rooms those that the server uses. */
const isList = (file: string) =>
  /^src\/(server|shared)\//.test(file) && lists.some((list) => list.file === file)

/** Whether a change of the file may break any test: the base of all rooms, and what tests are run with. */
const reachesAll = (file: string) => isList(file) || bases.some((pattern) => pattern.test(file))

const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/** The rooms, and the folders above them that have tests of their own. */
const rooms: readonly string[] = [...serverRooms, 'cli', 'demo']

/** The room of a file of the server, or of what both sides share; undefined for other files. */
export function roomOf(file: string): string | undefined {
  const [, side, rest = ''] = /^src\/(server|shared)\/(?:text\/)?(.+)$/.exec(file) ?? []
  const first = rest.split('/')[0] ?? ''
  const room = side === 'shared' ? (sharedRooms[first] ?? first) : first
  return rooms.includes(room) ? room : undefined
}

/** Where the walk through imports ends: such files reach everything, or are judged by `reachesAll`. */
const isHarness = (file: string) =>
  reachesAll(file) ||
  aboveRooms.server.some((name) => file === `src/server/${name}` || file.startsWith(`src/server/${name}/`))

/** The files of the project that a file imports at run time, as paths from the root. */
function importsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  const isUsed = ({ entries }: { entries: { isType: boolean }[] }) =>
    entries.length === 0 || entries.some(({ isType }) => !isType)
  const named = [
    ...module.staticImports.filter(isUsed).map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ isType, moduleRequest }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
  ]
  return named.flatMap((name) => {
    const path = name.startsWith('#')
      ? `src/${name.slice(1)}`
      : name.startsWith('.')
        ? normalize(join(dirname(file), name))
        : undefined
    return path !== undefined && /\.tsx?$/.test(path) && existsSync(join(root, path)) ? [path] : []
  })
}

const known = new Map<string, readonly string[]>()
function importsOnce(file: string): readonly string[] {
  const found = known.get(file) ?? importsOf(file)
  known.set(file, found)
  return found
}

/** All that a file imports, directly or not, without what lies behind the harness. */
function reachOf(file: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [file]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const imported of importsOnce(next)) {
      if (reached.has(imported) || isHarness(imported)) continue
      reached.add(imported)
      open.push(imported)
    }
  return reached
}

/**
 * Chooses of the test files those that a change concerns.
 * @param changed the changed files, as paths from the root
 */
export function chooseTests(changed: readonly string[], tests: readonly string[]): Chosen[] {
  const sources = changed.filter((file) => !isTest(file))
  const everywhere = sources.find(reachesAll)
  if (everywhere !== undefined) return tests.map((file) => ({ file, because: `${everywhere} reaches all` }))
  const changedRooms = new Map(sources.map((file) => [roomOf(file), file]))
  const ofServer = sources.find((file) => /^src\/(server|shared)\//.test(file))
  return tests.flatMap((file): Chosen[] => {
    if (changed.includes(file)) return [{ file, because: 'it has changed itself' }]
    const room = roomOf(file)
    const inRoom = room === undefined ? undefined : changedRooms.get(room)
    if (inRoom !== undefined) return [{ file, because: `its room has changed: ${inRoom}` }]
    // Those beside the application test it as a whole.
    if (ofServer !== undefined && /^src\/server\/[^/]+$/.test(file))
      return [{ file, because: `the server has changed: ${ofServer}` }]
    const reach = reachOf(file)
    const imported = sources.find((source) => reach.has(source))
    return imported === undefined ? [] : [{ file, because: `it imports ${imported}` }]
  })
}

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

const lines = (text: string) => text.split('\n').filter((line) => line !== '')

/** The commit since which changes are counted; undefined if it is unknown here, so that all is tested. */
export function mergedCommit(): string | undefined {
  const commit = process.env['SINCE'] ?? readFileSync(join(root, mergedFile), 'utf8').trim()
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD')
    return commit
  } catch {
    // Another history, or one that was cut off before it.
    return undefined
  }
}

const textAt = (commit: string, file: string) =>
  lines(git('ls-tree', '--name-only', commit, file)).length > 0 ? git('show', `${commit}:${file}`) : ''
const textNow = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '')

/**
 * The files that differ from a commit, committed or not. In the place of a list of rooms are the parts of
 * rooms whose lines differ, since it does nothing but put them together.
 */
export function changedSince(commit: string): string[] {
  const changed = [
    ...lines(git('diff', '--name-only', '--no-renames', commit)),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ]
  return [
    ...new Set(
      changed.flatMap((file) =>
        isList(file) ? (changedParts(textAt(commit, file), textNow(file)) ?? [file]) : [file],
      ),
    ),
  ]
}

/** The server's test files that `npm test` does not run, as paths from the root. */
export function furtherTests(always: readonly string[]): string[] {
  const all = globSync(['src/server/**/*.test.ts', 'scripts/{walk,merges,reports}.test.ts'], { cwd: root })
  return all.filter((file) => !always.includes(file)).toSorted()
}
