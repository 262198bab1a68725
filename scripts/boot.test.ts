import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bootCheck } from './boot.ts'

const folder = mkdtempSync(join(tmpdir(), 'balcao-boot-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Habits {
  readyStatus?: number
  page?: string
  onStop?: string
}

/** The source of a small server with the given behaviour. */
function program({
  readyStatus = 200,
  page = '<!doctype html>',
  onStop = 'process.exit(0)',
}: Habits): string {
  const path = join(folder, `${Math.trunc(performance.now() * 1000)}.mjs`)
  writeFileSync(
    path,
    `import { createServer } from 'node:http'
    if (process.env.DATABASE_URL) process.exit(9)
    createServer((request, answer) => {
      if (request.url === '/readyz') answer.writeHead(${readyStatus}).end('readiness')
      else answer.end(${JSON.stringify(page)})
    }).listen(Number(process.env.PORT), process.env.HOST)
    process.on('SIGTERM', () => { ${onStop} })`,
  )
  return path
}

const check = (path: string, limits: { readyTimeoutMs?: number; stopTimeoutMs?: number } = {}) =>
  bootCheck({ program: path, readyTimeoutMs: 30_000, stopTimeoutMs: 30_000, ...limits })

describe('the boot check', () => {
  test('the boot check is content with a server that starts, serves and stops', async () => {
    await check(program({}))
  })

  test.each<[string, Habits, string, Parameters<typeof check>[1]?]>([
    ['is never ready', { readyStatus: 503 }, '/readyz was not 200', { readyTimeoutMs: 3000 }],
    ['serves something else than the page', { page: '{}' }, 'GET / did not serve the page'],
    ['ends with another code', { onStop: 'process.exit(3)' }, 'exit code was 3'],
    ['does not stop', { onStop: '' }, 'still running', { stopTimeoutMs: 500 }],
  ])('the boot check reports when a server %s', async (_what, habits, words, limits) => {
    await expect(check(program(habits), limits)).rejects.toThrow(words)
  })

  test('the boot check reports when a server ends on its own, with what it printed', async () => {
    const path = join(folder, 'broken.mjs')
    writeFileSync(path, "console.error('PORT must be a number')\nprocess.exit(1)")
    await expect(check(path)).rejects.toThrow(/ended by itself, code 1[^]*PORT must be a number/)
  })
})
