import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '#shared/version.ts'
import { projectFolder } from './start-line.ts'

const read = (name: string) => readFileSync(join(projectFolder, name), 'utf8')

test('the version is the same in the program, its package, its lock file and the newest changes', () => {
  const { version: ofPackage } = JSON.parse(read('package.json')) as { version: string }
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string
    packages: Record<string, { version: string }>
  }
  expect([ofPackage, lock.version, lock.packages['']?.version]).toEqual([version, version, version])
  // What is not released yet stands above it.
  expect(/^## \[(\d.+)\]/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})
