import { describe, expect, test } from 'vitest'
import { createDepthCheck, createUnprovenBodies } from './webhook-body.ts'

describe('a body', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

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
    expect(createDepthCheck()(Buffer.from(json))).toBe(expected)
    // However it is cut, also within a letter or behind a backslash.
    const inPieces = createDepthCheck()
    expect(Buffer.from(json).some((byte) => inPieces(Uint8Array.of(byte)))).toBe(expected)
  })
})

describe('bodies of senders who are not proven', () => {
  test('are read up to a number of each address, and of all together', () => {
    const bodies = createUnprovenBodies()
    const entered = (address: string, count: number) =>
      Array.from({ length: count }, () => bodies.enter(address)).filter(Boolean).length
    expect(entered('a', 20)).toBe(8)
    bodies.leave('a')
    expect(entered('a', 20)).toBe(1)
    expect([entered('b', 20), entered('c', 20)]).toEqual([8, 0])
    for (let n = 0; n < 8; n++) bodies.leave('a')
    expect(entered('c', 20)).toBe(8)
  })
})
