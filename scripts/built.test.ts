import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isFresh, keepWebBefore, removeStamp, stampOf, writeStamp } from './built.mjs'

const files = {
  'src/server/main.ts': 'one',
  'src/server/main.test.ts': 'test',
  'src/shared/a.ts': 'two',
  'src/simulator/b.ts': 'three',
  'src/web/c.tsx': 'four',
  'scripts/build-server.ts': 'five',
  'vite.config.ts': 'six',
  'tsconfig.base.json': '{}',
  'package.json': '{}',
  'package-lock.json': '{}',
}
let root = ''

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const build = () => {
  for (const part of ['server', 'web'] as const) writeStamp(part, stampOf(part, root), root)
}
/** Sets the time of change without changing the contents, as a copy or a checkout does. */
const touch = (path: string, at: Date) => utimesSync(join(root, path), at, at)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'balcao-built-'))
  mkdirSync(join(root, 'dist'))
  for (const [path, text] of Object.entries(files)) write(path, text)
})
afterEach(() => rmSync(root, { recursive: true }))

test('nothing that was not built is fresh', () => {
  expect([isFresh('server', root), isFresh('web', root)]).toEqual([false, false])
  build()
  expect([isFresh('server', root), isFresh('web', root)]).toEqual([true, true])
  removeStamp('server', root)
  expect([isFresh('server', root), isFresh('web', root)]).toEqual([false, true])
})

test.each([
  ['src/server/main.ts', false, true],
  ['src/shared/a.ts', false, false],
  ['src/simulator/b.ts', false, false],
  ['src/web/c.tsx', true, false],
  ['package-lock.json', false, false],
  ['scripts/build-server.ts', false, true],
  ['vite.config.ts', true, false],
  ['src/server/main.test.ts', true, true],
])('after a change of %s the server is fresh: %s, the web: %s', (path, server, web) => {
  build()
  write(path, 'else')
  expect([isFresh('server', root), isFresh('web', root)]).toEqual([server, web])
})

test('a file that was added, renamed or removed makes a build stale, and its return fresh again', () => {
  build()
  write('src/server/added.ts', '')
  expect(isFresh('server', root)).toBe(false)
  rmSync(join(root, 'src/server/added.ts'))
  expect(isFresh('server', root)).toBe(true)
  rmSync(join(root, 'src/server/main.ts'))
  expect(isFresh('server', root)).toBe(false)
})

test('a change that keeps the length and the time of modification makes a build stale', () => {
  build()
  const { mtime } = statSync(join(root, 'src/server/main.ts'))
  write('src/server/main.ts', 'two')
  touch('src/server/main.ts', mtime)
  expect(isFresh('server', root)).toBe(false)
})

test('a copy with other times is fresh by its contents, and remembers that', () => {
  build()
  for (const path of Object.keys(files)) touch(path, new Date(1000))
  expect(isFresh('server', root)).toBe(true)
  const { times } = stampOf('server', root)
  const remembered = JSON.parse(readFileSync(join(root, 'dist/server.stamp'), 'utf8')) as { times: string }
  expect(remembered.times).toBe(times)
})

test('an installation without sources is as it was built, and one without a build is not', () => {
  build()
  const installed = mkdtempSync(join(tmpdir(), 'balcao-installed-'))
  expect(isFresh('server', installed)).toBe(false)
  cpSync(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  expect(isFresh('server', installed)).toBe(true)
  rmSync(installed, { recursive: true })
})

/** Builds a web that is one file, in the steps of scripts/build.ts. */
function buildWeb(chunk: string, isWhole = true) {
  const stamp = stampOf('web', root)
  keepWebBefore(stamp, root)
  removeStamp('web', root)
  rmSync(join(root, 'dist/web'), { recursive: true, force: true })
  write(`dist/web/${chunk}`, '')
  if (isWhole) writeStamp('web', stamp, root)
}
const kept = (chunk: string) => existsSync(join(root, 'dist/web-before', chunk))

test('the web of the build before is kept until the next change is built', () => {
  buildWeb('chunk-1')
  expect(existsSync(join(root, 'dist/web-before'))).toBe(false)
  write('src/web/c.tsx', 'five')
  buildWeb('chunk-2')
  expect([kept('chunk-1'), kept('chunk-2')]).toEqual([true, false])
  // Of the same sources, it replaces nothing that a page may have.
  buildWeb('chunk-2')
  expect(kept('chunk-1')).toBe(true)
  write('src/web/c.tsx', 'six')
  buildWeb('chunk-3')
  expect([kept('chunk-1'), kept('chunk-2')]).toEqual([false, true])
})

test('a web that is not whole takes the place of nothing that is kept', () => {
  buildWeb('chunk-1')
  write('src/web/c.tsx', 'five')
  buildWeb('half', false)
  write('src/web/c.tsx', 'six')
  buildWeb('chunk-2')
  expect([kept('chunk-1'), kept('half')]).toEqual([true, false])
})
