import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Pool } from 'undici'
import { type Database, rows } from '#server/platform/database/db.ts'
import { type OwnServer, startOwnServer } from '#server/testing/servers/own-server.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { makeAccounts, openSessions } from '../access/world/people.ts'
import { startWire, type Wire } from '../chaos/wire.ts'
import { adminEnv, connectNumber, startInstallation } from '../support/installation.ts'
import { Program } from '../support/program.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { until } from '../support/waiting.ts'

/** An operator with a session. */
export interface Operator {
  id: number
  token: string
}

/** A client with a phone, whose conversation an operator has. */
export interface Client {
  phoneId: string
  conversationId: number
  operator: Operator
}

/** Two programs on one database, with a gateway behind a wire that can be cut. */
export interface Stage {
  server: OwnServer
  programs: readonly [Program, Program]
  database: Database
  simulator: Simulator
  gateway: Wire
  admin: Operator
  clients: Client[]
  /**
   * A call to one of the programs that run; repeated until something answers.
   * @returns its status, and its body
   */
  call(
    who: Operator,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown }>
}

export async function startStage(
  {
    name,
    clients,
    env: more,
  }: {
    /** Of the database and the folders. */
    name: string
    clients: number
    /** Of the programs, beside the usual. */
    env: Record<string, string>
  },
  defer: (close: () => unknown) => void,
): Promise<Stage> {
  const server = await startOwnServer()
  defer(() => server.close())
  await server.query('create role balcao login')
  const simulator = await startSimulator({
    apiKey: 'chave-de-prova-longa',
    instanceName: 'loja1',
    echoMs: 2,
    serverAckMs: 5,
    deliveryAckMs: 10,
    retryBaseMs: 200,
  })
  defer(() => simulator.close())
  const gateway = await startWire(() => Number(new URL(simulator.url).port))
  defer(() => gateway.close())
  const env = { SECRET_KEY: randomBytes(32).toString('base64url'), ...more }
  const { program, database, token } = await startInstallation(server, name, defer, env)
  const { dataDir, remove } = makeTemporaryFolder(`${name}-b`)
  defer(remove)
  const other = await Program.start({
    args: [],
    env: {
      ...adminEnv,
      DATA_DIR: dataDir,
      DATABASE_URL: server.url('balcao', name),
      LOG_LEVEL: 'fatal',
      ...env,
    },
  })
  defer(() => other.stop())
  const programs = [program, other] as const
  let turn = 0
  const running = () => {
    const living = programs.filter((one) => one.isRunning)
    return living[turn++ % living.length]
  }
  const front = await startWire(() => running()?.port)
  defer(() => front.close())
  await resetSettings(database)
  await connectNumber(`http://127.0.0.1:${front.port}`, token, {
    ...simulator,
    url: `http://127.0.0.1:${gateway.port}`,
  })
  await database.execute(sql`update evolution_api_config set pace_per_second = 10000`)
  const pool = new Pool(`http://127.0.0.1:${front.port}`, { connections: 16, pipelining: 1 })
  defer(() => pool.destroy())
  const call: Stage['call'] = async (who, method, path, body) => {
    for (let attempt = 1; ; attempt++)
      try {
        const answer = await pool.request({
          method,
          path,
          headers: {
            authorization: `Bearer ${who.token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const text = await answer.body.text()
        if (answer.statusCode < 500) return { status: answer.statusCode, body: text && JSON.parse(text) }
        if (attempt > 200) return { status: answer.statusCode, body: text }
      } catch (error) {
        if (attempt > 200) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
  }
  const ids = await makeAccounts(database, [
    { username: 'ana', role: 'operator' },
    { username: 'bruno', role: 'operator' },
    { username: 'carla', role: 'operator' },
  ])
  const tokens = await openSessions(database, ids)
  const operators = ids.map((id, n) => ({ id, token: tokens[n] ?? '' }))
  const [first] = await rows<{ id: number }>(database, sql`select id from users where role = 'admin' limit 1`)
  const stage = { server, programs, database, simulator, gateway, admin: { id: first?.id ?? 0, token }, call }
  return { ...stage, clients: await makeClients(stage, operators, clients) }
}

async function makeClients(
  { simulator, database }: Pick<Stage, 'simulator' | 'database'>,
  operators: readonly Operator[],
  count: number,
): Promise<Client[]> {
  const phones = Array.from({ length: count }, (_, n) =>
    simulator.control.createPhone({
      id: `p${n}`,
      name: `Cliente ${n}`,
      number: `55119${String(30_000_000 + n)}`,
    }),
  )
  for (const { id } of phones) simulator.control.sendText(id, 'oi')
  const found = await until(
    'everybody has a conversation',
    () =>
      rows<{ phone: string; id: number }>(
        database,
        sql`select k.phone, v.id from contacts k join conversations v on v.contact_id = k.id
             where v.status <> 'completed'`,
      ),
    (all) => all.length >= count,
  )
  const ids = new Map(found.map(({ phone, id }) => [phone, id]))
  return Promise.all(
    phones.map(async ({ id: phoneId, number }, n) => {
      const operator = operators[n % operators.length]
      const conversationId = ids.get(number)
      if (!operator || conversationId === undefined) throw new Error(`${number} has no conversation`)
      await database.execute(
        sql`with gone as (delete from queue_pending_conversations where conversation_id = ${conversationId})
            update conversations set assigned_user_id = ${operator.id}, status = 'active',
                                     sub_status = 'OPERADOR'
             where id = ${conversationId}`,
      )
      return { phoneId, conversationId, operator }
    }),
  )
}
