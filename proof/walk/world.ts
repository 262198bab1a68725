import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Flags, Role } from '#shared/permissions.ts'
import { startApp } from '#server/app.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { type Person, person } from '#server/testing/test-person.ts'
import { insertConfig } from '#server/gateway/instances/queries.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import type { NewEvent } from '#server/schema/platform/live.ts'
import { createUser } from '#server/users/users.ts'
import { createRandom, type Random } from '#simulator/random.ts'

/** A client, and the names by which acts refer to the client's messages. */
export interface Client {
  person: Person
  names: string[]
  /** The client's own clock, in minutes. */
  minute: number
}

export interface Principal {
  id: number
  role: Role
  token: string
}

/** The fields of a conversation that the acts use. */
export interface Talk extends Record<string, unknown> {
  id: number
  status: string
  assignedUserId: number | null
  phone: string | null
}

/** The real app on a database. The walk acts as its gateway. */
export interface World {
  url: string
  database: Database
  /** The number of the clients. Its messages are never sent, since the walk decides their outcomes. */
  numberId: number
  /** Another number, whose connection state changes. */
  otherNumberId: number
  principals: Principal[]
  clients: Client[]
  random: Random
  /** Makes names unique. */
  count: number
  newClient(): Client
  happens(event: GatewayEvent): Promise<void>
  emit(event: NewEvent): Promise<void>
  setFlags(who: Principal, change: Partial<Flags>): Promise<void>
  talks(where?: 'open' | 'completed'): Promise<Talk[]>
  request(who: Principal, method: string, path: string, body?: unknown): Promise<number>
  /** Removes all clients and conversations. */
  reset(random: Random): Promise<void>
  stop(): Promise<void>
}

const password = 'senha-do-passeio'

export async function startWorld(database: Database): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-walk-'))
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  // Also when the run is interrupted.
  process.once('exit', removeFolder)
  const config = {
    ...readConfig({ DATA_DIR: dataDir, GATEWAY_ALLOWED_HOSTS: '127.0.0.1', CALLS_PER_MINUTE: '0' }, false),
    port: 0,
  }
  // The clocks of the targets are kept by an act, since nothing tells when their worker has come to an end.
  const app = await startApp({ config, database, log: createLog('silent'), slaClocks: 'never' })
  const number = (instanceName: string, isActive: boolean) =>
    insertConfig(database, {
      instanceName,
      isActive,
      apiKeyEncrypted: '-',
      apiKeyHint: '-',
      baseUrl: 'http://127.0.0.1:1',
    })
  const principals = [
    await principal(database, app.url, 'admin', 'ana'),
    await principal(database, app.url, 'operator', 'bia'),
  ]
  const numberId = (await number('loja1', false)).id
  const world: World = {
    url: app.url,
    database,
    numberId,
    otherNumberId: (await number('loja2', true)).id,
    principals,
    clients: [],
    random: createRandom(1),
    count: 0,
    newClient() {
      const made = { person: person(), names: [], minute: 1 }
      world.clients.push(made)
      return made
    },
    happens: (event) =>
      inTransaction(database, async (db) => {
        await handleGatewayEvent(db, numberId, event)
      }),
    emit: (event) => inTransaction(database, async (_db) => _db.emit(event)),
    setFlags: (who, change) => setFlags(database, who, change),
    talks: (where) => listTalks(database, where),
    async request(who, method, path, body) {
      const headers = { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' }
      const given = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${app.url}${path}`, { method, headers, ...given })
      await answer.text()
      return answer.status
    },
    async reset(random) {
      world.random = random
      world.clients = []
      world.count = 0
      await inTransaction(database, async (db) => {
        await db.execute(
          sql`truncate contacts, contact_identities, companies, conversations, messages, outbox,
                       pending_updates
                restart identity cascade`,
        )
        db.emit({ type: 'queue_changed' })
      })
      for (const who of principals)
        if (who.role !== 'admin') await setFlags(database, who, { canViewArchivedConversations: false })
    },
    async stop() {
      await app.stop()
      process.off('exit', removeFolder)
      removeFolder()
    },
  }
  return world
}

async function principal(database: Database, url: string, role: Role, username: string): Promise<Principal> {
  const email = `${username}@teste.example`
  const id = await createUser(database, { username, email, name: username, password, role })
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return { id, role, token: ((await answer.json()) as { token: string }).token }
}

/** Changes permissions as the planned screen will: the record and the event in one transaction. */
function setFlags(database: Database, who: Principal, change: Partial<Flags>): Promise<void> {
  return inTransaction(database, async (db) => {
    const flags = { ...defaultFlags('operator'), ...change }
    await db.execute(
      sql`insert into user_permissions (user_id, flags) values (${who.id}, ${JSON.stringify(flags)}::jsonb)
          on conflict (user_id)
          do update set flags = user_permissions.flags || ${JSON.stringify(change)}::jsonb`,
    )
    db.emit({ type: 'permissions_changed', userId: who.id })
  })
}

function listTalks(database: Database, where?: 'open' | 'completed'): Promise<Talk[]> {
  const isMeant =
    where === undefined
      ? sql`true`
      : where === 'open'
        ? sql`c.status <> 'completed'`
        : sql`c.status = 'completed'`
  return rows<Talk>(
    database,
    sql`select c.id, c.status, c.assigned_user_id as "assignedUserId", ct.phone
          from conversations c join contacts ct on ct.id = c.contact_id where ${isMeant} order by c.id`,
  )
}
