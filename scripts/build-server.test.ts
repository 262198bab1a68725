import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { inAscii } from './build-server.ts'

test.each([
  [String.raw`'Balcão: 😀 “ok”…'`],
  [String.raw`'a\é\\é\\\é'`],
  [String.raw`({ ação: 'é' })['ação']`],
  ['`é ${"ã"} 😀`'],
  ['String.raw`[❗“”]\\x60${"a"}–`'],
  [String.raw`'x–y—z'.replace(/[–—]|\–/g, '.')`],
  [String.raw`'a😀b'.replace(/[😀]/u, '.') + 'a😀b'.split(/😀/).length`],
  [String.raw`/^(?:não|é)$/iu.test('NÃO')`],
])('the value of %s stays what it is when its letters are written by escapes', (code) => {
  const written = inAscii(code)
  expect(written).toMatch(/^[\0-\x7f]*$/)
  expect(runInNewContext(written)).toEqual(runInNewContext(code))
})
