import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const check = join(import.meta.dirname, 'right-node.mjs')

/** Runs a program after the check, on a Node that says it is of that version. */
const run = (version: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
                     Object.defineProperty(process, 'version', { value: 'v${version}' })`
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(pretend)}`,
      '--import',
      check,
      '-e',
      "console.log('began')",
    ]
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })

test.each(['18.20.0', '20.20.2', '22.1.0'])(
  'Node %s is refused in one line, before the program',
  async (version) => {
    const { code, stdout, stderr } = await run(version)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^O Balcão precisa do Node 24 ou mais novo, e este é o v.*: .*npm ci.*\n$/)
  },
)

test.each(['24.0.0', '26.1.0'])('the program starts on Node %s', async (version) => {
  expect(await run(version)).toEqual({ code: 0, stdout: 'began\n', stderr: '' })
})

test('the query builder is the same module for module, however it is found', async () => {
  const names = ['drizzle-orm', 'drizzle-orm/node-postgres', 'drizzle-orm/pg-core', 'drizzle-orm/migrator']
  const program = `
    const { registerHooks } = await import('node:module')
    const loaded = []
    registerHooks({
      load(url, context, next) {
        loaded.push(url + ' ' + context.format)
        return next(url, context)
      },
    })
    const found = []
    for (const name of ${JSON.stringify(names)}) found.push(Object.keys(await import(name)).sort())
    const own = loaded.filter((url) => url.includes('/drizzle-orm/'))
    console.log(JSON.stringify({ loaded: own.sort(), found }))`
  const load = (...first: string[]) =>
    new Promise<string>((resolve) => {
      const args = [...first, '--input-type=module', '-e', program]
      execFile(process.execPath, args, { cwd: join(import.meta.dirname, '..') }, (_, stdout) =>
        resolve(stdout),
      )
    })
  const [plain, ours] = [await load(), await load('--import', check)]
  expect(ours).toBe(plain)
  expect((JSON.parse(plain) as { loaded: string[] }).loaded.length).toBeGreaterThan(50)
})
