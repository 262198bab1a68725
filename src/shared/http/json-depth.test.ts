import { expect, test } from 'vitest'
import { createDepthCheck } from './json-depth.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

const utf8Of = (text: string) => {
  const signs = encodeURIComponent(text).matchAll(/%(..)|(.)/gs)
  return Uint8Array.from(signs, ([, hex, sign = '']) => (hex ? parseInt(hex, 16) : sign.charCodeAt(0)))
}

test.each<[string, boolean]>([
  ['{}', false],
  [nested(200), false],
  [nested(201), true],
  [`{"a":${nested(200)}}`, true],
  ['['.repeat(1000), true],
  // Brackets in strings are no levels, whatever is escaped there.
  [JSON.stringify('['.repeat(1000)), false],
  [JSON.stringify({ text: '\\"[[\\\\"'.repeat(300) }), false],
  [`{"a":"\\\\",${'"b":['.repeat(1)}${nested(200)}]}`, true],
  // Many levels, but never more than two at a time.
  ['[{}]'.repeat(1000), false],
  [JSON.stringify({ name: 'ação 👩‍👧 [', deep: '{' }) + nested(201), true],
  ['"', false],
  ['', false],
])('%.40s… is too deep: %s', (json, expected) => {
  const bytes = utf8Of(json)
  expect(createDepthCheck()(bytes)).toBe(expected)
  // However it is cut, also within a letter or behind a backslash.
  const inPieces = createDepthCheck()
  expect(bytes.some((byte) => inPieces(Uint8Array.of(byte)))).toBe(expected)
})
