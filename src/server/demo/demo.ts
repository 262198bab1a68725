import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoSignIn } from '#shared/users/users.ts'
import type { Simulator } from '#simulator/simulator.ts'
import type { App } from '#server/app.ts'
import { givePhones } from './phones.ts'
import { writeDemo } from './samples.ts'
import { demoInstance } from './simulator.ts'
import {
  offerTranscription,
  startDemoTranscription,
  type TranscriptionServer,
} from './transcription-server.ts'
import { demoUsers } from './users.ts'
import { giveVoice } from './voice.ts'
import { connectGateway, ensureConnection } from '#server/gateway/gateway.ts'
import { StartRefused } from '#server/installation.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { findLivingUser } from '#server/users/users.ts'

export { startDemoTranscription }

export interface Demo {
  config: Config
  simulator: Simulator
  transcription: TranscriptionServer
}

/** `npm run demo -- --reset`: deletes everything that belongs to the demo, and nothing else. */
export async function resetDemo(config: Config): Promise<void> {
  if (!config.dataDir.endsWith('demo')) throw new StartRefused('Só a pasta da demonstração pode ser apagada.')
  if (existsSync(join(config.dataDir, 'postgres'))) {
    // Fails, naming the lock holder, while a demo is running on it; takes over a server that was left behind.
    const left = await startEmbeddedPostgres({ dataDir: config.dataDir })
    await left.stop()
    rmSync(left.home, { recursive: true, force: true })
  }
  rmSync(config.dataDir, { recursive: true, force: true })
}

/** Writes the connection to the simulator and the sample data. Does nothing on later starts. */
export async function prepareDemo(
  database: Database,
  secrets: Secrets,
  { config, simulator }: Pick<Demo, 'config' | 'simulator'>,
  print: (line: string) => void,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const instance = await ensureConnection(db, secrets, connectionOf(simulator))
    if (await findLivingUser(db, 'admin')) return
    print('Preenchendo a demonstração, só na primeira vez (até meio minuto).')
    await writeDemo(db, instance.id, makePassword(config.dataDir), { now: new Date(), print })
  })
}

function connectionOf(simulator: Simulator) {
  return {
    baseUrl: simulator.url,
    instanceName: demoInstance,
    apiKey: simulator.apiKey,
    // No real account can be banned here, and all phones may write at once.
    pacePerSecond: 100,
  }
}

/**
 * Registers this console's webhook and creates the clients' phones.
 * @returns lines to print: user names and password
 */
export async function connectDemo(
  database: Database,
  app: App,
  { config, simulator, transcription }: Demo,
): Promise<string[]> {
  await givePhones(database, simulator)
  await offerTranscription(database, transcription)
  await giveVoice(database, app.files)
  const instance = await ensureConnection(database, app.secrets, connectionOf(simulator))
  const webhookUrl = `http://127.0.0.1:${app.port}/api/webhook/evolution`
  await connectGateway(database, app.gateway.client, app.secrets, instance, webhookUrl)
  // Webhooks that a killed process left behind need not wait for their next retry.
  simulator.control.retryNow()
  return [
    `Celulares dos clientes: http://localhost:${app.port}/simulador`,
    `Usuários: ${demoUsers.map((user) => user.username).join(', ')}`,
    passwordLine(config.dataDir),
  ]
}

/**
 * The people to sign in as with one click. Not where strangers may come: on a server of its own a demo is
 * entered with the password that only its terminal shows.
 */
export function demoSignIn(config: Config): DemoSignIn | undefined {
  if (config.isDemoPublic || config.publicUrl !== undefined || config.trustProxy !== undefined)
    return undefined
  const password = readPassword(config.dataDir)
  return password === undefined ? undefined : { password, people: [...demoUsers] }
}

const passwordFile = (dataDir: string) => join(dataDir, 'demo-password')

/** Random for each data folder, and kept in it so that every start prints the same one. */
function makePassword(dataDir: string): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const password = Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')
  writeFileSync(passwordFile(dataDir), password, { mode: 0o600 })
  chmodSync(passwordFile(dataDir), 0o600)
  return password
}

/** undefined where the people of the demo were made elsewhere: a copy has no password that can be read. */
function readPassword(dataDir: string): string | undefined {
  return existsSync(passwordFile(dataDir)) ? readFileSync(passwordFile(dataDir), 'utf8').trim() : undefined
}

/** What the terminal says of the password. */
export function passwordLine(dataDir: string): string {
  const password = readPassword(dataDir)
  return password === undefined
    ? 'Senha: a da demonstração de onde veio a cópia; outra, com npm run admin -- reset-password ana --demo'
    : `Senha de todos: ${password}`
}
