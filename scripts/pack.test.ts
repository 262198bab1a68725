import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { stampOf, writeStamp } from './built.mjs'
import { pack } from './pack.ts'
import { projectFolder } from './start-line.ts'

// What is packed; that it starts is seen by the boot check, which unpacks such a file.

const root = mkdtempSync(join(tmpdir(), 'balcao-pack-'))
afterAll(() => rmSync(root, { recursive: true }))

test('what is built is packed with its documents and lock file, without sources and tests', () => {
  for (const part of ['scripts', 'deploy', 'docs', 'package.json', 'package-lock.json', 'LICENSE', '.npmrc'])
    cpSync(join(projectFolder, part), join(root, part), { recursive: true })
  expect(() => pack(root, root)).toThrow('Build first')
  for (const folder of ['web', 'web-before', 'server'])
    mkdirSync(join(root, 'dist', folder), { recursive: true })
  writeFileSync(join(root, 'dist', 'web', 'index.html'), 'web')
  writeFileSync(join(root, 'dist', 'web-before', 'old.js'), 'old')
  mkdirSync(join(root, 'src'))
  for (const part of ['web', 'server'] as const) writeStamp(part, stampOf(part, root), root)
  const file = pack(join(root, 'out'), root)
  expect(file).toMatch(/\/out\/balcao-\d+\.\d+\.\d+\.tar\.gz$/)
  const names = spawnSync('tar', ['-tzf', file], { encoding: 'utf8' }).stdout.trim().split('\n')
  const top = new Set(names.map((name) => name.split('/')[1]))
  expect(top).toEqual(
    new Set(['.npmrc', 'LICENSE', 'deploy', 'dist', 'docs', 'package-lock.json', 'package.json', 'scripts']),
  )
  expect(names.filter((name) => /\.test\.ts$|web-before|\/src\//.test(name))).toEqual([])
  expect(names.some((name) => name.endsWith('/dist/web/index.html'))).toBe(true)
  expect(names.some((name) => name.endsWith('/scripts/node/package.json'))).toBe(true)
})
