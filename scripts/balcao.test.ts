import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stampOf, writeStamp } from './built.mjs'
import { projectFolder } from './start-line.ts'

// What `npm start` chooses to run, in a folder with programs that only say which they are.

const says = (what: string) => `console.log(${JSON.stringify(what)}, process.argv.slice(2).join(' '))\n`
let root = ''

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const build = () => {
  for (const name of ['main', 'cli']) write(`dist/server/${name}.js`, says(`built ${name}`))
  for (const part of ['server', 'web'] as const) writeStamp(part, stampOf(part, root), root)
}
/** Makes it an installation with the packages of a checkout, whose build says so. */
const withTools = () => {
  write('node_modules/vite/package.json', '{}')
  write(
    'scripts/build.ts',
    `import { stampOf, writeStamp } from './built.mjs'
     import { mkdirSync } from 'node:fs'
     mkdirSync('dist', { recursive: true })
     writeStamp('web', stampOf('web'))`,
  )
}

/** @param pretend a statement that Node runs first; `account`: who runs it, if not whoever runs the tests */
const run = (words: string[], { pretend = '', env = {}, account = {} } = {}) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const first = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
    const args = [...first, join(root, 'scripts', 'balcao.mjs'), ...words]
    const { DATABASE_URL: _left, ...inherited } = process.env
    const options = { cwd: root, env: { ...inherited, ...env }, ...account }
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'balcao-launch-'))
  write('package.json', '{"type":"module"}')
  for (const path of globSync('scripts/*.mjs', { cwd: projectFolder }))
    cpSync(join(projectFolder, path), join(root, path))
  for (const name of ['main', 'cli']) write(`src/server/${name}.ts`, says(`source ${name}`))
  for (const path of ['src/web/a.ts', 'src/shared/a.ts', 'src/simulator/a.ts']) write(path, '')
  for (const path of ['scripts/build-server.ts', 'vite.config.ts', 'tsconfig.base.json']) write(path, '')
  write('package-lock.json', '{}')
})
afterEach(() => rmSync(root, { recursive: true }))

test('the built server is started, and commands get their words', async () => {
  build()
  expect(await run(['--demo'])).toEqual({ code: 0, stdout: 'built main --demo\n', stderr: '' })
  expect(await run(['admin', 'list', '--json'])).toMatchObject({ stdout: 'built cli list --json\n' })
})

test('the sources are started when they have changed since the build', async () => {
  withTools()
  build()
  write('src/server/main.ts', says('changed main'))
  expect(await run([])).toMatchObject({ code: 0, stdout: 'changed main \n' })
  expect(await run(['admin', 'list'])).toMatchObject({ code: 0, stdout: 'source cli list\n' })
})

test('a checkout builds the web at its first start, and commands do not', async () => {
  withTools()
  expect(await run(['admin', 'list'])).toMatchObject({ code: 0, stdout: 'source cli list\n' })
  const first = await run([])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toMatch(/^Preparando a interface .*\nsource main \n$/)
  expect(await run([])).toMatchObject({ stdout: 'source main \n' })
})

/** An account that may read the folder and not write: for root no folder is read-only, so another one. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const hindrance = spawnSync(process.execPath, ['--version'], { cwd: tmpdir(), ...nobody }).error?.message

test.skipIf(hindrance !== undefined).each(['never built', 'built before a change'])(
  `what was %s is refused to an account that may not build it${hindrance ? ` (skipped: ${hindrance})` : ''}`,
  async (how) => {
    withTools()
    if (how !== 'never built') build()
    write('src/web/a.ts', 'changed')
    const closed = how === 'never built' ? ['.'] : ['.', 'dist']
    for (const path of closed) chmodSync(join(root, path), 0o555)
    try {
      expect(await run([], { account: nobody })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'O Balcão não está construído, ou mudou desde então, e esta conta não escreve em ' +
          `${root}: rode "npm run build" com a conta dona da pasta.\n`,
      })
      expect(existsSync(join(root, 'dist'))).toBe(how !== 'never built')
      // Commands need no pages.
      expect(await run(['admin', 'list'], { account: nobody })).toMatchObject({ code: 0 })
    } finally {
      for (const path of closed) chmodSync(join(root, path), 0o755)
    }
  },
)

test('a build that fails ends the start, with its output', async () => {
  withTools()
  write('scripts/build.ts', "console.error('no such file')\nprocess.exitCode = 3")
  const { code, stderr } = await run([])
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'A interface não pôde ser preparada:\nno such file\n' })
})

test.each(['never built', 'built before a change'])(
  'an installation without tools that was %s is refused in one line',
  async (how) => {
    if (how !== 'never built') build()
    write('src/server/main.ts', says('changed main'))
    for (const words of [[], ['admin', 'list']]) {
      const { code, stdout, stderr } = await run(words)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^O Balcão não está construído, .*npm ci && npm run build"\.\n$/)
    }
  },
)

test('without sources, as in an image, what was built is started', async () => {
  build()
  rmSync(join(root, 'src'), { recursive: true })
  expect(await run([])).toMatchObject({ code: 0, stdout: 'built main \n' })
})

test('a machine without an embedded database is refused before anything is built', async () => {
  withTools()
  const pretend = `Object.defineProperty(process, 'platform', { value: 'win32' })`
  const { code, stdout, stderr } = await run([], { pretend })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^O banco de dados embutido não roda no Windows: .*DATABASE_URL\n$/)
})
