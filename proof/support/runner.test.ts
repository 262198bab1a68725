import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { catalog } from '../catalog.ts'
import { formatOptions, readOptions } from './options.ts'
import { formatResults, allPassed } from './table.ts'

const passed = { property: 'nothing is lost', checked: 3, faults: [] }

test('a proof passes when everything was checked and nothing broke', () => {
  expect(allPassed([passed])).toBe(true)
  expect(allPassed([passed, { ...passed, faults: ['message 7'] }])).toBe(false)
  expect(allPassed([passed, { ...passed, checked: 0 }])).toBe(false)
  expect(allPassed([])).toBe(false)
})

test('the table names each property, its checks, and each fault', () => {
  expect(formatResults([passed, { property: 'in order', checked: 0, faults: ['message 7'] }])).toEqual([
    'property         checked  faults  verdict',
    'nothing is lost  3        0       passed',
    'in order         0        1       FAILED',
    '  FAULT in order: message 7',
  ])
})

test('the printed command line repeats the run', () => {
  const defaults = { rounds: 4, only: '', program: false }
  const args = ['--rounds', '9', '--only', 'kill -9', '--program', '--seed', '7']
  const given = readOptions(defaults, args)
  expect(given).toEqual({ rounds: 9, only: 'kill -9', program: true, seed: 7 })
  expect(formatOptions(given, defaults)).toBe("--rounds 9 --only 'kill -9' --program --seed 7")
})

test('an option that is unknown, or no number, is refused', () => {
  expect(() => readOptions({ rounds: 4 }, ['--runds', '9'])).toThrow(TypeError)
  expect(() => readOptions({ rounds: 4 }, ['--rounds', 'many'])).toThrow(RangeError)
})

test('every proof is listed under its own name, and its findings by their commits', () => {
  expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length)
  for (const { found } of catalog)
    for (const fault of found) expect(fault).toMatch(/ \([0-9a-f]{8}(, [0-9a-f]{8})*\)$/)
})

test('every proof, and the pages that one plays, load in the Node that runs them', async () => {
  const code = [
    "const { catalog } = await import('./proof/catalog.ts')",
    'for (const { load } of catalog) await load()',
    "await (await import('./proof/walk/page.ts')).loadPage()",
  ].join('\n')
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: join(import.meta.dirname, '..', '..'),
  })
})
