import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSecrets } from '#server/platform/secrets.ts'
import { startOwnServer, type OwnServer } from '#server/testing/servers/own-server.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { type Canary, filesBelow, missedBySearch, type Place, search } from './search.ts'
import { instanceName, makeSecrets, type Secrets } from './secrets.ts'
import { type Observed, walk } from './walk.ts'
import { startWatched } from '../support/watched-program.ts'

const webDir = join(import.meta.dirname, '..', '..', 'dist')

interface Environment {
  server: OwnServer
  dataDir: string
  secrets: Secrets
}

/** The product's tables as text. */
async function dump(server: OwnServer): Promise<string> {
  const tables = await server.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    'balcao',
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const found = await server.query<{ line: string }>(`select t::text as line from ${name} t`, 'balcao')
    texts.push(`${name}\n${found.map((row) => row.line).join('\n')}`)
  }
  return texts.join('\n')
}

/** The webhook's secret, which the program generates itself. */
async function webhookSecretOf({ server, dataDir, secrets }: Environment): Promise<string> {
  const [row] = await server.query<{ sealed: string | null }>(
    'select webhook_secret_encrypted as sealed from evolution_api_config',
    'balcao',
  )
  if (!row?.sealed) throw new Error('the webhook was not registered')
  return openSecrets(secrets.secretKey, dataDir).decrypt(row.sealed)
}

/** Takes the program through its main path and every kind of error, and reads every place it writes to. */
async function readPlaces(environment: Environment): Promise<{ places: Place[]; canaries: Canary[] }> {
  const { server, dataDir, secrets } = environment
  const { password, secretKey, metricsToken, databasePassword, gatewayKey, instanceToken } = secrets
  await server.query(`create role balcao login password '${databasePassword}'`)
  await server.query('create database balcao owner balcao')
  const simulator = await startSimulator({ apiKey: gatewayKey, instanceName, instanceToken })
  const program = await startWatched({
    keepOutput: true,
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: server.url(`balcao:${databasePassword}`, 'balcao'),
      SECRET_KEY: secretKey,
      METRICS_TOKEN: metricsToken,
      GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'trace',
      ADMIN_USERNAME: 'chefe',
      ADMIN_PASSWORD: password,
    },
  })
  let observed: Observed
  let running: string
  try {
    observed = await walk({
      url: program.url,
      secrets,
      simulator,
      async withoutTable(work) {
        await server.query('alter table contact_categories rename to gone', 'balcao')
        await work()
        await server.query('alter table gone rename to contact_categories', 'balcao')
      },
      async withoutDatabase(work) {
        await server.stop('immediate')
        await work()
        await server.start()
      },
    })
    running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  } finally {
    await program.stop()
    await simulator.close()
  }
  const made = [...observed.tokens, await webhookSecretOf(environment)]
  const canaries = [
    ...Object.entries(secrets).map(([name, value]) => ({ name, value })),
    ...made.map((value, n) => ({
      name: n < observed.tokens.length ? `session ${n + 1}` : 'webhook secret',
      value,
    })),
  ]
  const places = [
    { name: 'log of the program (trace)', text: program.output() },
    { name: 'HTTP answers', text: observed.answers.join('\n') },
    { name: 'socket frames', text: observed.frames.join('\n') },
    { name: 'database, all tables', text: await dump(server) },
    { name: 'log of the database server', text: readFileSync(join(server.folder, 'log'), 'latin1') },
    { name: 'process arguments', text: running },
    { name: dataFolder, text: filesBelow(dataDir, ['secret.key']) },
    { name: 'built pages', text: filesBelow(webDir) },
  ]
  return { places, canaries }
}

const dataFolder = 'data folder'

function checkPlaces({ places, canaries }: { places: Place[]; canaries: Canary[] }): Result[] {
  const hits = search(places, canaries)
  const empty = places.filter((place) => place.text === '' && place.name !== dataFolder)
  return [
    {
      property: 'no secret is found',
      checked: places.length,
      faults: hits.map((hit) => `${hit.canary} ${hit.form} in ${hit.place}: …${hit.around}`),
    },
    {
      property: 'the search finds each secret that is planted',
      checked: canaries.length,
      faults: missedBySearch(canaries),
    },
    {
      property: 'every place was read',
      checked: places.length,
      faults: empty.map(({ name }) => `${name} is empty`),
    },
  ]
}

/**
 * Starts the program with unique secrets and the most verbose log, takes it through its main path and every
 * kind of error, and searches for the secrets wherever they must not appear.
 * @see security S-35
 */
export const canary = defineScenario({
  options: {},
  nightly: {},

  async arrange({ defer }): Promise<Environment> {
    if (!existsSync(webDir)) throw new Error('build the pages first: npm run build')
    const { dataDir, remove } = makeTemporaryFolder('canary')
    defer(remove)
    const server = await startOwnServer({
      hba: ['local all postgres trust', 'host all all 127.0.0.1/32 scram-sha-256'],
    })
    defer(() => server.close())
    return { server, dataDir, secrets: makeSecrets() }
  },

  act: (environment) => readPlaces(environment),

  check(found, _environment, { print }) {
    for (const { name, text } of found.places)
      print(`  ${name.padEnd(34)} ${String(Math.ceil(text.length / 1024)).padStart(6)} KiB`)
    return checkPlaces(found)
  },
})
