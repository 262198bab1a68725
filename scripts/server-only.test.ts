import { parseSync } from 'vite'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutServerOnly, withoutUnused, withPureConstants } from './server-only.ts'
import { projectFolder } from './start-line.ts'

type Change = typeof withoutServerOnly
const changed = (change: Change, code: string) =>
  change(code, parseSync('calls.js', code).program.body as unknown as Parameters<Change>[1])
const left = (code: string) => changed(withoutServerOnly, code)

test('a page has of a call what it needs to make it, and nothing that only the server needs', () => {
  const code = `export const removeContact = endpoint({
  method: 'DELETE',
  path: '/api/contacts/:id',
  summary: 'Excluir',
  rows: { 'DELETE /api/contacts/{id}': { act: 'deleteContact', audit: { not: 'so' } } },
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  reply: contact,
  isSensitive: true
})
export const other = 1`
  expect(left(code)).toBe(
    "export const removeContact = { method: 'DELETE', path: '/api/contacts/:id' }\nexport const other = 1",
  )
})

test('what is no call stays as it is', () => {
  const other = "export const b = table({ audit: 'x' })\nconst c = endpoint"
  expect(left(other)).toBe(other)
})

test('a module no longer imports what only its schemas were made of', () => {
  const used = (code: string) =>
    withoutUnused(
      code,
      (text) => parseSync('calls.js', text).program.body as unknown as Parameters<Change>[1],
    ).trim()
  const code = `import { a } from './a.js'
import { b } from './b.js'
import './c.js'
const made = a.of(1)
const own = b.of(2)
export const call = own`
  expect(used(code)).toBe(`import { b } from './b.js'
import './c.js'

const own = b.of(2)
export const call = own`)
})

test('what a module makes as it is loaded is marked as pure, except functions and literals', () => {
  const pure = (code: string) => changed(withPureConstants, code)
  expect(pure('export const a = z.int().check(z.gte(0))')).toBe(
    'export const a = /*@__PURE__*/ (() => (z.int().check(z.gte(0))))()',
  )
  expect(pure('const a = { ...b.shape, c: 1 }')).toBe(
    'const a = /*@__PURE__*/ (() => ({ ...b.shape, c: 1 }))()',
  )
  for (const same of [
    'const a = (b) => c(b)',
    'function a() { const b = c() }',
    "const a = { b: ['c'] }",
    'a()',
  ])
    expect(pure(same)).toBe(same)
})

test('no code of a page reads of a call what only the server has', () => {
  const read = (pattern: string) =>
    globSync(pattern, { cwd: projectFolder }).map((file) => ({
      file,
      text: readFileSync(join(projectFolder, file), 'utf8'),
    }))
  const calls = read('src/shared/**/*.ts').flatMap(({ text }) =>
    [...text.matchAll(/^export const (\w+) = endpoint\(/gm)].map(([, name]) => name),
  )
  expect(calls.length).toBeGreaterThan(100)
  const reading = new RegExp(`(?<!typeof )\\b(${calls.join('|')})\\??\\.(?!method\\b|path\\b)\\w+`)
  const found = [...read('src/{web,shared}/**/*.{ts,tsx}'), ...read('src/simulator/page/**/*.{ts,tsx}')]
    .filter(({ file }) => !/\.test\.tsx?$/.test(file))
    .flatMap(({ file, text }) =>
      text.split('\n').flatMap((line) => (reading.test(line) ? [`${file}: ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})
