import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSecrets } from '#server/platform/secrets.ts'
import { startOwnServer, type OwnServer } from '#server/testing/own-server.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { say } from './command.ts'
import { type Canary, filesBelow, missedBySearch, type Place, search } from './canary/search.ts'
import { instanceName, makeSecrets } from './canary/secrets.ts'
import { type Told, walk } from './canary/walk.ts'
import { startWatched } from './fuzz/watched-program.ts'

/**
 * `npm run canary`: starts the program with secrets that are like no other text, leads it through its main path and
 * every kind of error while it logs all that it can, and searches for them wherever they must not be.
 * @see security S-35
 */
const secrets = makeSecrets()
const webDir = join(import.meta.dirname, '..', 'dist')

/** Every table of the product as text. */
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

/** What the program made up itself: the webhook's secret, as it is told to the gateway. */
async function webhookSecretOf(server: OwnServer, dataDir: string): Promise<string> {
  const [row] = await server.query<{ sealed: string | null }>(
    'select webhook_secret_encrypted as sealed from evolution_api_config',
    'balcao',
  )
  if (!row?.sealed) throw new Error('o webhook não foi registrado')
  return openSecrets(secrets.secretKey, dataDir).decrypt(row.sealed)
}

function report(places: Place[], canaries: Canary[]): boolean {
  const hits = search(places, canaries)
  const missed = missedBySearch(canaries)
  say(`${canaries.length} segredos, ${places.length} lugares`)
  for (const place of places) {
    const found = hits.filter((hit) => hit.place === place.name).length
    say(
      `  ${place.name.padEnd(34)} ${String(Math.ceil(place.text.length / 1024)).padStart(6)} KiB  ${found} achados`,
    )
  }
  for (const hit of hits) say(`  VAZOU ${hit.canary} ${hit.form} em ${hit.place}: …${hit.around}`)
  for (const name of missed) say(`  A BUSCA NÃO ACHARIA ${name}`)
  const empty = places.filter((place) => place.text === '' && place.name !== 'pasta de dados')
  for (const { name } of empty) say(`  NADA FOI LIDO em ${name}`)
  return hits.length === 0 && missed.length === 0 && empty.length === 0
}

async function run(server: OwnServer, dataDir: string): Promise<boolean> {
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
  let told: Told
  let running: string
  try {
    told = await walk({
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
  const made = [...told.tokens, await webhookSecretOf(server, dataDir)]
  const canaries = [
    ...Object.entries(secrets).map(([name, value]) => ({ name, value })),
    ...made.map((value, n) => ({
      name: n < told.tokens.length ? `sessão ${n + 1}` : 'segredo do webhook',
      value,
    })),
  ]
  const places = [
    { name: 'registro do programa (trace)', text: program.output() },
    { name: 'respostas HTTP', text: told.answers.join('\n') },
    { name: 'quadros dos sockets', text: told.frames.join('\n') },
    { name: 'banco de dados, todas as tabelas', text: await dump(server) },
    { name: 'registro do servidor do banco', text: readFileSync(join(server.folder, 'log'), 'latin1') },
    { name: 'argumentos dos processos', text: running },
    { name: 'pasta de dados', text: filesBelow(dataDir, ['secret.key']) },
    { name: 'páginas construídas', text: filesBelow(webDir) },
  ]
  return report(places, canaries)
}

const dataDir = mkdtempSync(join(tmpdir(), 'balcao-canary-'))
chmodSync(dataDir, 0o711)
const server = await startOwnServer({
  hba: ['local all postgres trust', 'host all all 127.0.0.1/32 scram-sha-256'],
})
try {
  process.exitCode = (await run(server, dataDir)) ? 0 : 1
} finally {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
}
