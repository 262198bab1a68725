import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { serverRooms } from '../walls.ts'

const root = join(import.meta.dirname, '..')

/**
 * How what the rooms export under one name becomes one thing: all properties in one object, an array of one
 * each, one type of alternatives, or one interface of all. 'tables': all exports of the files that have any.
 */
type Fold = 'object' | 'array' | 'union' | 'interface' | 'tables'

interface List {
  /** The file that is written. */
  file: string
  /** The parts of rooms that it puts together, by the pattern of their paths, with what they may export. */
  parts: Readonly<Record<string, Readonly<Record<string, Fold>>>>
  /** The rooms whose parts come first, in this order; all others by their names. */
  order?: readonly string[]
}

/** Every file that lists the rooms, each written by `npm run rooms` from what the rooms declare. */
export const lists: readonly List[] = [
  {
    file: 'src/shared/rooms/rights.ts',
    parts: {
      'src/shared/*/rights.ts': {
        flags: 'object',
        acts: 'object',
        screens: 'object',
        Subject: 'union',
        Action: 'union',
      },
    },
  },
  {
    file: 'src/shared/rooms/texts.ts',
    parts: {
      'src/shared/*/texts.ts': {
        errors: 'object',
        controls: 'array',
        flagTexts: 'object',
        fields: 'object',
        areas: 'object',
      },
    },
  },
  {
    file: 'src/shared/rooms/audit.ts',
    parts: {
      'src/shared/*/audit.ts': {
        groups: 'object',
        resources: 'object',
        sentences: 'object',
        Details: 'interface',
        Personal: 'interface',
      },
    },
  },
  {
    file: 'src/shared/rooms/events.ts',
    parts: { 'src/shared/*/events.ts': { events: 'object' } },
  },
  {
    file: 'src/server/rooms/routes.ts',
    parts: { 'src/server/*/routes.ts': { routes: 'array' } },
  },
  {
    file: 'src/server/rooms/live.ts',
    parts: { 'src/server/*/live.ts': { renderers: 'object' } },
  },
  {
    file: 'src/web/rooms/screens.ts',
    parts: { 'src/web/*/screens.ts': { screens: 'object' } },
  },
  {
    file: 'src/web/rooms/live.ts',
    parts: { 'src/web/*/live.ts': { onPushed: 'object' } },
  },
  {
    file: 'src/server/rooms/demo-rows.ts',
    parts: { 'src/server/*/demo-rows.ts': { demoRows: 'array' } },
    order: serverRooms,
  },
  {
    file: 'src/server/schema/tables.ts',
    parts: { 'src/server/schema/**/*.ts': { tables: 'tables' } },
    order: serverRooms,
  },
  {
    file: 'proof/rooms.ts',
    parts: {
      'proof/rooms/*.ts': { recipes: 'object', things: 'object', acts: 'object', broughtBy: 'object' },
    },
  },
]

interface Part {
  path: string
  /** What the file is called in the list: 'contacts' of 'src/shared/contacts/texts.ts'. */
  name: string
  exports: readonly string[]
}

const camel = (text: string) => text.replace(/[-/](\w)/g, (_, letter: string) => letter.toUpperCase())

function partsOf(pattern: string, order: readonly string[]): Part[] {
  const [start, end] = [pattern.indexOf('*'), pattern.length - pattern.lastIndexOf('*') - 1]
  const roomOf = (path: string) => path.slice(start, path.length - end)
  const placeOf = (path: string) => {
    const place = order.indexOf(roomOf(path).split('/')[0] ?? '')
    return place < 0 ? order.length : place
  }
  const exclude = ['src/*/rooms', '**/*.test.ts', ...lists.map(({ file }) => file)]
  return globSync(pattern, { cwd: root, exclude })
    .toSorted()
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const exports = [...text.matchAll(/^export (?:const|interface|type|(?:async )?function) (\w+)/gm)]
      const names = exports.map(([, name = '']) => name)
      if (/^export const \w+ = (?:pgT|t)able\(/m.test(text)) names.push('tables')
      return { path, name: camel(roomOf(path)), exports: names }
    })
}

/** One member a line, so that a difference names the room. */
function folded(name: string, how: Fold, parts: readonly Part[]): string {
  const members = parts
    .filter(({ exports }) => exports.includes(name))
    .map((part) => (how === 'tables' ? part.name : `${part.name}.${name}`))
  const lines = (before: string, after: string) =>
    members.map((one) => `  ${before}${one}${after}\n`).join('')
  switch (how) {
    case 'object':
    case 'tables':
      return `export const ${name} = {\n${lines('...', ',')}} as const`
    case 'array':
      return `export const ${name} = [\n${lines('', ',')}] as const`
    case 'union':
      return `export type ${name} =\n${lines('| ', '')}`.trimEnd()
    case 'interface':
      return `export interface ${name}\n  extends\n${lines('  ', ',').replace(/,\n$/, ' {}')}`
  }
}

const importedBy = (file: string, path: string) =>
  path.startsWith('src/') ? path.replace(/^src\//, '#') : `./${relative(dirname(file), path)}`

/** What a list must say, from what the rooms declare now. */
export function listText({ file, parts, order = [] }: List): string {
  const found = Object.entries(parts).map(([pattern, exports]) => ({
    files: partsOf(pattern, order).filter((part) => part.exports.some((name) => name in exports)),
    exports,
  }))
  const imports = found.flatMap(({ files }) =>
    files.map(({ name, path }) => `import * as ${name} from '${importedBy(file, path)}'`),
  )
  const values = found.flatMap(({ files, exports }) =>
    Object.entries(exports).map(([name, how]) => folded(name, how, files)),
  )
  const head = '// Written by `npm run rooms` from what each room declares.'
  return [`${head}\n${imports.join('\n')}`, ...values].join('\n\n') + '\n'
}

/**
 * The parts whose lines differ between two texts of a list, as paths from the root; undefined when other
 * lines do, such as the name of what is folded.
 */
export function changedParts(before: string, after: string): string[] | undefined {
  // Without what only the last member of a list has, or has not.
  const linesOf = (text: string) => text.split('\n').map((line) => line.replace(/[ ,{}]+$/, ''))
  const [old, now] = [linesOf(before), linesOf(after)]
  const paths = new Map(
    [...old, ...now].flatMap((line): [string, string][] => {
      const [, name, path] = /^import \* as (\w+) from '(.+)'$/.exec(line) ?? []
      return name && path ? [[name, path.replace(/^#/, 'src/')]] : []
    }),
  )
  const changed = [...old.filter((line) => !now.includes(line)), ...now.filter((line) => !old.includes(line))]
  const parts = changed.map((line) => {
    const [, imported, member] = /^(?:import \* as (\w+) | +(?:\.\.\.|\| )?(\w+)\b)/.exec(line) ?? []
    return paths.get(imported ?? member ?? '')
  })
  return parts.every((path) => path !== undefined) ? [...new Set(parts)] : undefined
}

/** The lists in the repository. */
export const storedText = ({ file }: List) => readFileSync(join(root, file), 'utf8')

if (import.meta.main) for (const list of lists) writeFileSync(join(root, list.file), listText(list))
