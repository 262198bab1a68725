import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateIdentity } from 'age-encryption'
import type { ArchivedPage } from '#shared/conversations/archive.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { type BucketServer, startBucketServer } from '#server/testing/servers/bucket-server.ts'
import { type OwnServer, startOwnServer } from '#server/testing/servers/own-server.ts'
import { projectFolder } from '../../scripts/start-line.ts'
import { connectNumber } from '../support/installation.ts'
import { defineScenario, MissingProgram, type Result } from '../support/scenario.ts'
import { until } from '../support/waiting.ts'
import { answerClient, makeBackup, restoreWhole, signInFirst, type Session } from './acts.ts'
import { type Account, type Machine, makeAccount, makeMachine, makeOpenFolder, must } from './machine.ts'
import { startTlsProxy } from './tls-proxy.ts'
import { upgradeAndBack } from './upgrade.ts'

/** What is there before anything is installed. */
interface Ground {
  account: Account
  /** The program, as root has cloned and built it. */
  home: string
  server: OwnServer
  bucket: BucketServer
  simulator: Simulator
  backupKey: string
  defer: (close: () => unknown) => void
}

const page = readFileSync(join(projectFolder, 'docs', 'operations.md'), 'utf8')

/** Each part of the page, and what went otherwise than it says. */
type Steps = Map<string, string[]>

/**
 * Follows the page of operations as somebody does who installs the program on a Friday: from a clone, as
 * root, with an account for the service; then works with it, makes a backup and a copy, loses the machine,
 * and upgrades.
 */
export const operations = defineScenario({
  options: {},
  nightly: {},

  async arrange({ defer, print, seconds }): Promise<Ground> {
    if (process.getuid?.() !== 0) throw new MissingProgram('only root can make an account for the service')
    const account = makeAccount('balcao-prova')
    defer(() => account.remove())
    const { folder, remove } = makeOpenFolder('opt')
    defer(remove)
    const home = join(folder, 'balcao')
    documented('git clone … /opt/balcao && cd /opt/balcao && npm ci && npm run build')
    must('git', ['clone', '--quiet', projectFolder, home], folder)
    must('npm', ['ci', '--no-audit', '--no-fund'], home)
    must('npm', ['run', 'build'], home)
    documented('npm run prepare-installation')
    must('npm', ['run', 'prepare-installation'], home)
    print(`  installed [${seconds()} s]`)
    const bin = '/usr/lib/postgresql/15/bin'
    const server = await startOwnServer({ ...(existsSync(bin) && { bin }) })
    defer(() => server.close())
    documented("CREATE ROLE balcao LOGIN PASSWORD '…';")
    await server.query(`CREATE ROLE balcao LOGIN PASSWORD 'senha-do-banco'`)
    const bucket = await startBucketServer()
    defer(() => bucket.close())
    const simulator = await startSimulator({
      apiKey: 'chave-de-prova-longa',
      instanceName: 'loja1',
      retryBaseMs: 300,
    })
    defer(() => simulator.close())
    return { account, home, server, bucket, simulator, backupKey: await generateIdentity(), defer }
  },

  async act(ground, { print, seconds }) {
    const steps: Steps = new Map()
    const step = async <Value>(name: string, work: (faults: string[]) => Promise<Value>): Promise<Value> => {
      const faults: string[] = []
      steps.set(name, faults)
      try {
        return await work(faults)
      } catch (error) {
        faults.push(String(error instanceof Error ? (error.stack ?? error) : error))
        throw error
      } finally {
        print(`  ${name}: ${faults.length === 0 ? 'as the page says' : faults.join('; ')} [${seconds()} s]`)
      }
    }
    const faults: string[] = []
    try {
      await followPage(ground, step)
    } catch (error) {
      print(`  broken off: ${String(error)}`)
      // Also what fails between two parts.
      faults.push(String(error))
    }
    return steps.set('the page is followed to its end', faults)
  },

  check(steps): Result[] {
    return [...steps].map(([property, faults]) => ({ property, checked: 1, faults }))
  },
})

type Step = <Value>(name: string, work: (faults: string[]) => Promise<Value>) => Promise<Value>

async function followPage(ground: Ground, step: Step): Promise<void> {
  const { account, home, server, bucket, simulator, backupKey, defer } = ground
  const shared = { SECRET_KEY: 'segredo-da-prova-com-mais-de-32-letras', BACKUP_KEY: backupKey }
  const usual = {
    ...shared,
    PUBLIC_URL: 'https://atendimento.example',
    TRUST_PROXY: '127.0.0.1',
    GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
  }
  const variables = { ...usual, ...bucket.env, DATABASE_URL: await makeDatabase(server, 'balcao') }
  const [one, two] = [0, 1].map(() => makeMachine(home, account, variables, defer)) as [Machine, Machine]

  const { service, session } = await step(
    'the service starts by its unit, on a PostgreSQL of one’s own',
    async (faults) => {
      const started = await one.start()
      const first = await signInFirst(started)
      const listed = await one.admin('list')
      expectCode(faults, 'balcao-admin list', listed, 0, 'admin')
      if (!listed.said.includes('127.0.0.1')) faults.push('the command does not say which database it uses')
      return { service: started, session: first }
    },
  )

  const second = await step('two instances behind TLS serve one installation', async (faults) => {
    const other = await two.start()
    const proxy = await startTlsProxy([service.url, other.url], defer)
    const { token } = await proxy.call<{ token: string }>('POST', '/api/auth/login', {
      body: { username: session.username, password: session.password },
    })
    for (let n = 0; n < 4; n++) await proxy.call('GET', '/api/auth/me', { token })
    for (let n = 0; n < 2; n++)
      if (!(await proxy.firstFrame(token)).includes('hello')) faults.push('no hello over TLS')
    if (new Set(proxy.served).size < 2) faults.push('one instance served everything')
    return other
  })

  const picture = await step('a client is answered, with a picture, through either instance', async () => {
    await connectNumber(service.url, session.token, simulator)
    return answerClient(simulator, service, second, session)
  })

  const backup = await step('an encrypted backup is in the bucket', async (faults) => {
    const id = await makeBackup(service, session)
    const members = bucket.keys().filter((key) => key.startsWith('backups/'))
    const [, folder] = members[0]?.split('/') ?? []
    if (folder === undefined) throw new Error('nothing is in the bucket')
    for (const key of members.filter((name) => name.endsWith('.zst')))
      if (!readFileSync(bucket.pathOf(key)).subarray(0, 21).equals(Buffer.from('age-encryption.org/v1')))
        faults.push(`${key} is not encrypted`)
    expectCode(faults, 'backup list', await one.admin('backup', 'list'), 0, String(id))
    return folder
  })

  const copy = await step(
    'a copy of the whole installation is made beside the running service',
    async (faults) => {
      documented('npm run admin -- copy /mnt/other-disk/balcao-2026-11-26')
      const folder = join(one.state, 'copia')
      expectCode(faults, 'copy', await one.admin('copy', folder), 0)
      return folder
    },
  )

  await step('both services stop in order', async (faults) => {
    for (const each of [service, second]) {
      const ending = await each.stop()
      if (ending !== '0') faults.push(`ended with ${ending}`)
    }
  })

  await step('from the copy: an empty machine is the lost one again', async (faults) => {
    documented('`npm run admin -- attach FOLDER`')
    // Its files come to the disk: those in the bucket are still the lost machine's.
    const empty = makeMachine(
      makePacked(home, defer),
      account,
      {
        ...usual,
        DATABASE_URL: await makeDatabase(server, 'copia'),
      },
      defer,
    )
    expectCode(faults, 'attach', await empty.admin('attach', copy), 0)
    expectCode(faults, 'list', await empty.admin('list'), 0, session.username)
    expectCode(faults, 'audit-verify', await empty.admin('audit-verify'), 0)
    const today = new Date().toISOString().slice(0, 10)
    expectCode(faults, 'report-verify', await empty.admin('report-verify', '--from', today, '--to', today), 0)
    const again = await empty.start()
    await expectPicture(faults, again.url, { ...session, token: await tokenAt(again.url, session) }, picture)
    await again.stop()
  })

  await step('from the backup: a new installation has the conversations', async (faults) => {
    documented('`npm run admin -- backup import FILE`')
    const fresh = makeMachine(
      home,
      account,
      {
        ...variables,
        DATABASE_URL: await makeDatabase(server, 'resgate'),
      },
      defer,
    )
    const again = await fresh.start()
    const admin = await signInFirst(again)
    expectCode(faults, 'backup import', await fresh.admin('backup', 'import', backup), 0)
    await restoreWhole(again, admin)
    await expectPicture(faults, again.url, admin, picture)
    const compared = await fresh.admin('backup', 'compare', '1')
    if (!/igua/.test(compared.said)) faults.push(`backup compare: ${compared.said}`)
    await again.stop()
  })

  await step('version 0.1.0 is upgraded, and the upgrade undone', (faults) =>
    upgradeAndBack(home, account, faults, defer),
  )
}

/** @returns its address, with an `&` that a shell would take for the end of a command */
async function makeDatabase(server: OwnServer, name: string): Promise<string> {
  documented("CREATE DATABASE balcao OWNER balcao ENCODING 'UTF8' TEMPLATE template0;")
  await server.query(`CREATE DATABASE ${name} OWNER balcao ENCODING 'UTF8' TEMPLATE template0`)
  return server.url('balcao', name, '?sslmode=disable&host=127.0.0.1')
}

/** The program from one file, without what builds it. */
function makePacked(home: string, defer: (close: () => unknown) => void): string {
  documented('npm run pack')
  const { folder, remove } = makeOpenFolder('packed')
  defer(remove)
  must('npm', ['run', 'pack'], home)
  const [file = ''] = must('ls', [home], home)
    .split('\n')
    .filter((name) => name.endsWith('.tar.gz'))
  must('tar', ['-xzf', join(home, file), '-C', folder], folder)
  const unpacked = join(folder, file.replace('.tar.gz', ''))
  must('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], unpacked)
  must('npm', ['run', 'prepare-installation'], unpacked)
  return unpacked
}

/** @throws Error when the page no longer has the command that is followed here */
function documented(words: string): void {
  if (!page.includes(words)) throw new Error(`docs/operations.md does not say: ${words}`)
}

function expectCode(
  faults: string[],
  what: string,
  { code, said }: { code: number; said: string },
  wanted: number,
  words = '',
): void {
  if (code !== wanted || !said.includes(words)) faults.push(`${what}: ${code}, ${said.slice(-600)}`)
}

async function tokenAt(url: string, { username, password }: Session): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return ((await answer.json()) as { token: string }).token
}

/** The old conversation is there, and its picture has the bytes that the client sent. */
async function expectPicture(
  faults: string[],
  url: string,
  { token }: Session,
  { fileUrl, bytes }: { fileUrl: string; bytes: Buffer },
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const found = await until(
    'the picture is served',
    async () => fetch(`${url}${fileUrl}`, { headers }),
    ({ status }) => status === 200,
    20_000,
  )
  if (!Buffer.from(await found.arrayBuffer()).equals(bytes)) faults.push('the picture is another one')
  const archive = await fetch(`${url}/api/conversations/archived`, { headers })
  const { pagination } = (await archive.json()) as ArchivedPage
  if (pagination.totalItems !== 1) faults.push(`the archive has ${pagination.totalItems} conversations`)
}
