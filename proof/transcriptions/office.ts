import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase, rows } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { stopServer } from '#server/platform/embedded-postgres/stop.ts'
import { createLog } from '#server/platform/log.ts'
import { voiceOf } from '#server/testing/files/voice.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { answering, noTranscription } from '#server/testing/servers/assistant-stage.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { read } from '../support/http.ts'
import { adminEnv, connectNumber, signIn } from '../support/installation.ts'
import { Program } from '../support/program.ts'
import type { Context } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { until } from '../support/waiting.ts'
import { type Hearing, type HearingServer, startHearing } from './hearing.ts'

export const key = 'sk-prova-7d1f0c52-segredo-da-transcricao'
const hangMs = 4000

/** The program with its embedded database, clients, and a server that puts their voices into words. */
export interface Office {
  program: Program
  database: Database
  simulator: Simulator
  hearing: HearingServer
  token: string
  chats: { id: number; phoneId: string }[]
  /** With the most verbose log. */
  logFile: string
  dataDir: string
  configure(change: object): Promise<void>
  /** A client sends a voice. */
  send(chat: number, word: string, hearings: readonly Hearing[]): void
}

export async function openOffice(
  defer: Context<Record<never, never>>['defer'],
  { level, clients }: { level: string; clients: number },
): Promise<Office> {
  const { dataDir, remove } = makeTemporaryFolder('transcriptions')
  defer(remove)
  const hearing = await startHearing(key, hangMs)
  defer(() => hearing.close())
  const simulator = await startSimulator({
    apiKey: 'key-of-the-simulator',
    instanceName: 'loja1',
    retryBaseMs: 200,
  })
  defer(() => simulator.close())
  const logFile = join(dataDir, 'program.log')
  // A server of its own: an instance that is alone takes up at once what a dead one has left.
  const own = { DATA_DIR: dataDir, DATABASE_URL: '', CALLS_PER_MINUTE: '0', LOG_LEVEL: level }
  // At these ports alone, so that everything else of this machine counts as undeclared.
  const hosts = [simulator.url, hearing.url].map((url) => new URL(url).host)
  const declared = { GATEWAY_ALLOWED_HOSTS: hosts.join(',') }
  const program = await Program.start({ args: [], env: { ...adminEnv, ...own, ...declared }, logFile })
  const embedded = await startEmbeddedPostgres({ dataDir, attachOnly: true })
  // It outlives a program that was killed.
  defer(() => stopServer(join(embedded.home, 'data')))
  defer(() => program.stop())
  const database = openDatabase({ connection: embedded.connection, log: createLog('silent'), poolSize: 3 })
  defer(() => database.close())
  await resetSettings(database)
  const { token } = await signIn(program.url)
  await connectNumber(program.url, token, simulator)
  await database.execute(sql`update evolution_api_config set pace_per_second = 1000`)
  const phones = Array.from({ length: clients }, (_, n) =>
    simulator.control.createPhone({ name: `Cliente ${n}`, number: `55119${String(20_000_000 + n)}` }),
  )
  for (const phone of phones) simulator.control.sendText(phone.id, 'oi')
  const found = await until(
    'the clients have conversations',
    () =>
      rows<{ id: number; phone: string }>(
        database,
        sql`select v.id, k.phone from conversations v join contacts k on k.id = v.contact_id`,
      ),
    (all) => all.length === clients,
  )
  const idOf = new Map(found.map(({ phone, id }) => [phone, id]))
  return {
    program,
    database,
    simulator,
    hearing,
    token,
    chats: phones.map(({ id, number }) => ({ phoneId: id, id: idOf.get(number) ?? 0 })),
    logFile,
    dataDir,
    async configure(change) {
      const body = {
        ...answering({ agentId: '', token: '' }),
        isActive: false,
        autoResponse: false,
        ...noTranscription,
        transcriptionBaseUrl: hearing.url,
        transcriptionModel: 'whisper-1',
        transcriptionKey: key,
        canTranscribe: true,
        transcriptionDayMinutes: 10_000,
        ...change,
      }
      await read(`${program.url}/api/gpt-maker-config`, { method: 'PUT', token, body })
    },
    send(chat, word, hearings) {
      const bytes = voiceOf(2, word)
      hearing.plan(word, bytes, hearings)
      simulator.control.send(phones[chat % phones.length]?.id ?? '', {
        kind: 'audio',
        base64: bytes.toString('base64'),
        seconds: 2,
        voice: true,
        id: word,
      })
    },
  }
}
