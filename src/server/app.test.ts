import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { readConfig } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { allCalls } from './testing/calls.ts'
import { testApp, testDatabase } from './testing/test-app.ts'

test.each([
  ['taken', (port: number) => ({ PORT: String(port) }), /^A porta \d+ já está em uso: .*PORT\.$/],
  [
    'of another machine',
    () => ({ HOST: '192.0.2.1' }),
    /^Esta máquina não tem o endereço 192\.0\.2\.1: confira HOST\.$/,
  ],
])('an address that is %s is one clear line, and nothing goes on behind it', async (_, env, line) => {
  const first = await testApp()
  const db = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-app-'))
  const config = readConfig({ DATA_DIR: dataDir, ...env(first.app.port) }, false)
  await expect(startApp({ config, database: db.database, log: createLog('silent') })).rejects.toThrow(line)
  // Remaining workers would fail on the closed pool.
  await db.close()
  await first.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('every call that is declared is served', async () => {
  const t = await testApp()
  const calls = await allCalls()
  const missing: string[] = []
  for (const { method, path } of calls) {
    const { status } = await t.request(
      method,
      path.replaceAll(/:\w+/g, '1'),
      method === 'GET' ? undefined : {},
    )
    if (status === 404) missing.push(`${method} ${path}`)
  }
  expect(missing).toEqual([])
  await t.close()
})
