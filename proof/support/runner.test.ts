import { expect, test } from 'vitest'
import { catalog } from '../catalog.ts'
import { formatOptions, readOptions } from './options.ts'
import { formatResults, isHeld } from './table.ts'

const held = { held: 'nothing is lost', checked: 3, faults: [] }

test('a proof holds when everything was checked and nothing broke', () => {
  expect(isHeld([held])).toBe(true)
  expect(isHeld([held, { ...held, faults: ['message 7'] }])).toBe(false)
  expect(isHeld([held, { ...held, checked: 0 }])).toBe(false)
  expect(isHeld([])).toBe(false)
})

test('the table names what was held, how often, and each fault', () => {
  expect(formatResults([held, { held: 'in order', checked: 0, faults: ['message 7'] }])).toEqual([
    'held             checked  faults  verdict',
    'nothing is lost  3        0       held',
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

test('every proof is listed under its own name', () => {
  expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length)
  for (const { shows, takes } of catalog) expect(`${shows}${takes}`).not.toBe('')
})
