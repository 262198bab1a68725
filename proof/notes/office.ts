import { sql } from 'drizzle-orm'
import { Pool } from 'undici'
import { rows } from '#server/platform/database/db.ts'
import { chatSays, type AgentServer, says, startAgentServer } from '#server/testing/servers/agent-server.ts'
import { answering } from '#server/testing/servers/assistant-stage.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import type { Role } from '#shared/permissions.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { flagNames } from '../access/law/table.ts'
import { makeAccounts, openSessions } from '../access/world/people.ts'
import { connectNumber, type Installation, startInstallation } from '../support/installation.ts'
import { until } from '../support/waiting.ts'
import { plantEnv } from './plants.ts'
import { startWire, type Wire } from './wire.ts'

/** Somebody of the team. */
export interface Colleague {
  id: number
  role: Role
  token: string
}

/** What a call of somebody was answered. */
export interface Answer {
  status: number
  text: string
}

export interface Form {
  type: string
  bytes: Buffer
}

/** A note as the proof knows it. */
export interface Note {
  id: number
  conversationId: number
  authorId: number
  /** Its name in the file store; '' without a file. */
  file: string
  isDeleted: boolean
}

/** A client with a phone, and what is known of them. */
export interface Client {
  phoneId: string
  number: string
  contactId: number
  notes: Note[]
  /** Messages that were sent to them, by their ids. */
  sent: { id: number; conversationId: number }[]
}

/** A program with a gateway, servers of AI, a team and clients; everything that leaves it is read. */
export interface Office extends Installation {
  simulator: Simulator
  agent: AgentServer
  /** To the gateway, and to the servers of AI. */
  wires: { gateway: Wire; assistant: Wire }
  team: Colleague[]
  clients: Client[]
  instanceId: number
  /** Makes marks and ids unique. */
  next(): number
  send(who: Colleague, method: string, path: string, sent?: unknown, form?: Form): Promise<Answer>
}

/** Placeholders that the product does not know, beside those that it knows. */
const curious = '{{protocol}} {{nota}} {{notes}} {{lastMessage}} {{content}}'

const settings = {
  workingHours: { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  queueMessage: `Fila {{position}} ${curious}`,
  finalizationMessage: `Fim ${curious}`,
  transferMessage: `Agora com {{operator}} ${curious}`,
  warningMessage: `Aviso ${curious}`,
  undoSendSeconds: 0,
}

export async function startOffice(
  { clients, plant }: { clients: number; plant: string },
  defer: (close: () => unknown) => void,
): Promise<Office> {
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
  const agent = await startAgentServer()
  defer(() => agent.close())
  agent.answer = () => says('Já chamo alguém.')
  agent.help = () => chatSays('Combinado.')
  const wires = { gateway: await startWire(simulator.url), assistant: await startWire(agent.url) }
  defer(() => Promise.all([wires.gateway.close(), wires.assistant.close()]))
  const installation = await startInstallation(server, 'notas', defer, {
    GPT_MAKER_URL: wires.assistant.url,
    ...plantEnv(plant),
  })
  const { program, database, token } = installation
  await connectNumber(program.url, token, { ...simulator, url: wires.gateway.url })
  await database.execute(sql`update evolution_api_config set pace_per_second = 10000`)
  const [number] = await rows<{ id: number }>(database, sql`select id from evolution_api_config`)
  const pool = new Pool(program.url, { connections: 16, pipelining: 1 })
  defer(() => pool.destroy())
  const send = async (who: Colleague, method: string, path: string, sent?: unknown, form?: Form) => {
    const answer = await pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${who.token}`,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': form.type }),
      },
      ...(form ? { body: form.bytes } : sent !== undefined && { body: JSON.stringify(sent) }),
    })
    return { status: answer.statusCode, text: await answer.body.text() }
  }
  let given = 0
  const office: Office = {
    ...installation,
    simulator,
    agent,
    wires,
    team: await makeTeam(installation),
    clients: [],
    instanceId: number?.id ?? 0,
    next: () => ++given,
    send,
  }
  await configure(office)
  office.clients.push(...(await makeClients(office, clients)))
  return office
}

/** Everybody may do everything that notes could be sent by, each in their role. */
async function makeTeam({ database, token }: Installation): Promise<Colleague[]> {
  const record = Object.fromEntries(flagNames.map((flag) => [flag, true]))
  const people = [
    { username: 'ana', role: 'operator', record },
    { username: 'bruno', role: 'operator', record },
    { username: 'rita', role: 'supervisor', record },
  ] as const
  const ids = await makeAccounts(database, [...people])
  const tokens = await openSessions(database, ids)
  const [admin] = await rows<{ id: number }>(database, sql`select id from users where role = 'admin' limit 1`)
  return [
    ...people.map(({ role }, n) => ({ id: ids[n] ?? 0, role, token: tokens[n] ?? '' })),
    { id: admin?.id ?? 0, role: 'admin', token },
  ]
}

/** Automatic texts, the agent in the queue, and the help of AI. */
async function configure({ send, team, agent, wires }: Office): Promise<void> {
  const admin = team.at(-1) as Colleague
  const must = async (method: string, path: string, body: unknown) => {
    const { status, text } = await send(admin, method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  }
  await must('PATCH', '/api/system-settings', settings)
  await must('PUT', '/api/gpt-maker-config', {
    ...answering(agent),
    autoResponseDelay: 0,
    helpBaseUrl: `${wires.assistant.url}/v1/`,
    helpModel: 'llama-3.1-8b',
    helpKey: agent.token,
    canSummarize: true,
    canSuggest: true,
  })
}

async function makeClients({ simulator, database }: Office, count: number): Promise<Client[]> {
  const phones = Array.from({ length: count }, (_, n) =>
    simulator.control.createPhone({
      id: `p${n}`,
      name: `Cliente ${n}`,
      number: `55119${String(20_000_000 + n)}`,
    }),
  )
  for (const { id } of phones) simulator.control.sendText(id, 'oi')
  const found = await until(
    'everybody has a conversation',
    () =>
      rows<{ phone: string; contactId: number }>(
        database,
        sql`select k.phone, k.id as "contactId" from contacts k
             where exists (select from conversations v where v.contact_id = k.id)`,
      ),
    (all) => all.length >= count,
  )
  const ids = new Map(found.map(({ phone, contactId }) => [phone, contactId]))
  return phones.map(({ id, number }) => ({
    phoneId: id,
    number,
    contactId: ids.get(number) ?? 0,
    notes: [],
    sent: [],
  }))
}
