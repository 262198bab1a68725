import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import type { Simulator } from '#simulator/simulator.ts'
import type { App } from './app.ts'
import { contactOf } from './contacts/contacts.ts'
import { writeSample } from './conversations/conversations.ts'
import { demoCompanies, demoContacts, type DemoTalk, demoUsers } from './demo-data.ts'
import { demoInstance } from './demo-simulator.ts'
import { connectGateway, ensureConnection } from './gateway/gateway.ts'
import { StartRefused } from './installation.ts'
import type { Config } from './platform/config.ts'
import { type Database, type Db, type Emit, inTransaction } from './platform/db.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import type { Secrets } from './platform/secrets.ts'
import { companies, contacts } from './schema/contacts.ts'
import { createUser, findLivingUser } from './users/users.ts'

export interface Demo {
  config: Config
  simulator: Simulator
}

/** `npm run demo -- --reset`: everything of the demonstration goes, and nothing else. */
export async function resetDemo(config: Config): Promise<void> {
  if (!config.dataDir.endsWith('demo')) throw new StartRefused('Só a pasta da demonstração pode ser apagada.')
  if (existsSync(join(config.dataDir, 'postgres'))) {
    // Refuses, naming the holder, while a demonstration runs on it; a server that was left behind is taken over.
    const left = await startEmbeddedPostgres({ dataDir: config.dataDir })
    await left.stop()
    rmSync(left.home, { recursive: true, force: true })
  }
  rmSync(config.dataDir, { recursive: true, force: true })
}

/** Writes the connection to the simulator and the sample people and talks; a second start finds them there. */
export async function prepareDemo(
  database: Database,
  secrets: Secrets,
  { config, simulator }: Demo,
): Promise<void> {
  await inTransaction(database, async (db, emit) => {
    const instance = await ensureConnection(db, secrets, connectionOf(simulator))
    if (await findLivingUser(db, 'admin')) return
    await writeSamples(db, emit, instance.id, demoPassword(config.dataDir))
  })
}

const connectionOf = (simulator: Simulator) => ({
  baseUrl: simulator.url,
  instanceName: demoInstance,
  apiKey: simulator.apiKey,
  // Nobody's account is at risk here, and forty phones may talk at once.
  pacePerSecond: 100,
})

/**
 * Registers the webhook of the console that listens now, and gives the clients' phones their chats.
 * @returns lines to print: who may sign in
 */
export async function connectDemo(
  database: Database,
  app: App,
  { config, simulator }: Demo,
): Promise<string[]> {
  for (const [index, contact] of demoContacts.entries()) {
    const { name, phone: number, identity = 'pn' } = contact
    const phone = simulator.control.createPhone({ id: `demo-${index}`, name, number, identity })
    simulator.control.importHistory(phone.id, { messages: historyOf(contact.talks, index) })
  }
  const instance = await ensureConnection(database, app.secrets, connectionOf(simulator))
  const webhookUrl = `http://127.0.0.1:${app.port}/api/webhook/evolution`
  await connectGateway(database, app.gateway.client, app.secrets, instance, webhookUrl)
  // Webhooks that a killed process left behind need not wait for their next turn.
  simulator.control.retryNow()
  return [
    `Celulares dos clientes: http://localhost:${app.port}/simulador`,
    `Usuários: ${demoUsers.map((user) => user.username).join(', ')}`,
    `Senha de todos: ${demoPassword(config.dataDir)}`,
  ]
}

/** Random for each data folder, kept there so that every start prints the same. */
function demoPassword(dataDir: string): string {
  const file = join(dataDir, 'demo-password')
  if (!existsSync(file)) {
    const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
    const password = Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')
    writeFileSync(file, password, { mode: 0o600 })
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8').trim()
}

interface PlacedLine {
  waId: string
  isContact: boolean
  text: string
  at: Date
}

/** A talk's lines with ids and instants; the console's rows and the phones' chats are made from the same ones. */
function placeLines(talk: DemoTalk, contactIndex: number, talkIndex: number): PlacedLine[] {
  const nowMs = Date.now()
  return talk.lines.map(([by, minutesAgo, text], line) => ({
    waId: `DEMO${contactIndex}T${talkIndex}L${line}`,
    isContact: by === 'c',
    text,
    at: new Date(nowMs - minutesAgo * 60_000),
  }))
}

function historyOf(talks: readonly DemoTalk[], contactIndex: number) {
  return talks
    .flatMap((talk, talkIndex) => placeLines(talk, contactIndex, talkIndex))
    .map(({ waId, isContact, text, at }) => ({
      id: waId,
      from: isContact ? ('phone' as const) : ('company' as const),
      text,
      at: at.toISOString(),
    }))
}

async function writeSamples(db: Db, emit: Emit, instanceId: number, password: string): Promise<void> {
  const userIds = new Map<string, number>()
  for (const user of demoUsers) {
    const email = `${user.username}@emporioaurora.example`
    userIds.set(user.username, await createUser(db, { ...user, email, password }))
  }
  const made = await db
    .insert(companies)
    .values(demoCompanies.map((name) => ({ name })))
    .returning({ id: companies.id, name: companies.name })
  const companyIds = new Map(made.map(({ id, name }) => [name, id]))
  for (const [index, contact] of demoContacts.entries()) {
    const contactId = await writeContact(db, contact, companyIds.get(contact.company ?? ''))
    for (const [talkIndex, talk] of contact.talks.entries()) {
      const operatorId = talk.with ? (userIds.get(talk.with) ?? null) : null
      await writeSample(db, emit, {
        instanceId,
        contactId,
        assignedUserId: operatorId,
        initiatedBy: 'contact',
        ...(talk.priority && { priority: talk.priority }),
        ...(talk.completedAgo !== undefined && {
          completedAt: new Date(Date.now() - talk.completedAgo * 60_000),
        }),
        messages: placeLines(talk, index, talkIndex).map(({ waId, isContact, text, at }) => ({
          waId,
          from: isContact || operatorId === null ? ('contact' as const) : operatorId,
          text,
          at,
        })),
      })
    }
  }
}

async function writeContact(
  db: Db,
  contact: (typeof demoContacts)[number],
  companyId?: number,
): Promise<number> {
  const { id } = await contactOf(db, {
    phone: contact.phone,
    lid: undefined,
    jid: `${contact.phone}@s.whatsapp.net`,
    name: contact.name,
  })
  const { category, email, tags, notes } = contact
  await db
    .update(contacts)
    .set({
      category,
      companyId: companyId ?? null,
      email: email ?? null,
      tags: [...(tags ?? [])],
      notes: notes ?? null,
      createdAt: sql`app_now() - interval '200 days'`,
    })
    .where(eq(contacts.id, id))
  return id
}
