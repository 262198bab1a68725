import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'

// Everyday mistakes of whoever starts the server: each is one line with what to do, and nothing is left.

const folder = folderForTests()

/** Starts the program until it ends, 30 s at most. @returns what it said after its version */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(folder, 'compiled'), PORT: '0', ...env },
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  const [[code], printed, said] = await Promise.all([closed, text(child.stdout), text(child.stderr)])
  return { code, lines: said.trimEnd().split('\n'), printed }
}

test.each(['/proc/x', '/proc/x/y/z'])(
  'a DATA_DIR in %s ends the start, which used to spin',
  async (dataDir) => {
    expect(await start({ DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/^A pasta \/proc\/x não pode ser criada \(ENOENT\): .*DATA_DIR/)],
    })
  },
)

test('a DATA_DIR that is a file, or in one, is one line', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const dataDir of [file, join(file, 'data')])
    expect(await start({ DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/^(A pasta|O caminho) .*file.* DATA_DIR/)],
    })
})

test('a port that is taken, and a host of another machine, are found before a database', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const dataDir = join(folder, 'early')
  expect(await start({ DATA_DIR: dataDir, PORT: String(port) })).toMatchObject({
    code: 1,
    lines: [expect.stringMatching(/^A porta \d+ já está em uso/)],
  })
  taken.close()
  expect(await start({ DATA_DIR: dataDir, HOST: '203.0.113.9' })).toMatchObject({
    code: 1,
    lines: ['Esta máquina não tem o endereço 203.0.113.9: confira HOST.'],
  })
  expect(existsSync(dataDir) ? readdirSync(dataDir) : []).toEqual([])
})

test('a variable with a mistyped name is warned of, not ignored', async () => {
  const { lines } = await start({ DATABSE_URL: 'x', S3_ACCESS_KEY: 'y', DATA_DIR: '/proc/x' })
  expect(lines.slice(0, -1)).toEqual([
    'Atenção: a variável DATABSE_URL não é lida. Seria DATABASE_URL?',
    'Atenção: a variável S3_ACCESS_KEY não é lida. Seria S3_ACCESS_KEY_ID?',
  ])
})
