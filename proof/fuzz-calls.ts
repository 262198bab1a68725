import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#server/platform/config.ts'
import { allCalls } from '#server/testing/calls.ts'
import { createRandom, type Random } from '#simulator/random.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { readOptions, say } from './command.ts'
import { send } from './fuzz/call.ts'
import { makeVisit, type Visit, visit } from './fuzz/frames.ts'
import { faultsOf, isGatewayTrouble } from './fuzz/judge.ts'
import { makePeople, type People } from './fuzz/people.ts'
import { attack, pickAttack } from './fuzz/raw.ts'
import { createShots, type Principal, principals, type Shot } from './fuzz/shots.ts'
import { startWatched, type WatchedProgram } from './fuzz/watched-program.ts'

/**
 * `npm run fuzz:calls -- --calls 200000 --seed 7`: shoots at every call of the program, made from what the calls say of
 * themselves, and at its sockets (a fifth), as nobody, operator, supervisor and administrator. Fails when one was
 * answered 5xx, an answer showed too much or lacked its headers, something went unhandled, the program ended, or it
 * held a tenth more memory than after its first tenth.
 */
const { calls: count, connections, seed } = readOptions({ calls: 20_000, connections: 16 })

const mostGrowth = 1.1
/** Of all rounds; the first stretch is the warming up. */
const stretches = [0.1, 0.25, 0.5, 0.75, 1]
/** Longer takes nothing here, on however busy a machine. */
const patienceMs = 30_000
const roundPatienceMs = 75_000

const statuses = new Map<string, number>()
const faults = new Map<string, { n: number; example: string }>()
const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)

function blame(fault: string, example: string): void {
  const known = faults.get(fault)
  if (known) known.n++
  else faults.set(fault, { n: 1, example: example.slice(0, 700) })
}

interface Range {
  program: WatchedProgram
  people: People
  agent: Agent
  next: () => Round
}

/** What is done at once, drawn whole before anything is awaited: the seed alone decides it. */
type Round = { number: number } & (
  | { kind: 'call'; shot: Shot }
  | { kind: 'visit'; plan: Visit; principal: Principal; seat: number }
  | { kind: 'raw'; text: string }
)

/** Stands in a plan for the session that is known only when it goes out. */
const tokenMark = 'sessao-da-visita'

function createRounds(random: Random, nextShot: () => Shot, ids: number[]): () => Round {
  let number = 0
  return () => {
    number++
    const dice = random()
    if (dice < 0.002) return { number, kind: 'raw', text: pickAttack(random) }
    // A fifth are frames, some ten of them a visit.
    if (dice > 0.024) return { number, kind: 'call', shot: nextShot() }
    const seat = Math.floor(random() * 4)
    const principal = principals[1 + Math.floor(random() * 3)] ?? 'operator'
    return { number, kind: 'visit', plan: makeVisit(random, tokenMark, ids), principal, seat }
  }
}

async function shoot({ program, people, agent }: Range, shot: Shot, number: number): Promise<void> {
  const token = await people.tokenOf(shot.principal, shot.path.length)
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...shot.headers }
  const what = `nº ${number} ${shot.principal} ${shot.method} ${shot.path.slice(0, 200)} ${String(shot.body ?? '').slice(0, 300)}`
  const answer = await send(program.url, agent, { ...shot, headers }, patienceMs)
  if (typeof answer === 'string') {
    // What the client refuses to send is no shot; what the peer hangs up on in the middle of a body is one.
    add(statuses, `sem resposta: ${answer}`)
    if (!/ERR_(UNESCAPED|INVALID)|EPIPE|ECONNRESET/.test(answer)) blame(`sem resposta: ${answer}`, what)
    return
  }
  add(statuses, isGatewayTrouble(answer) ? '502 do gateway' : String(answer.status))
  if (token !== undefined && (answer.status === 401 || shot.path.startsWith('/api/auth/logout')))
    people.forget(token)
  for (const fault of faultsOf(answer, shot.path, shot.method === 'HEAD'))
    blame(fault, `${what} → ${answer.body.slice(0, 300)}`)
}

async function visitLive({ people, program }: Range, round: Round & { kind: 'visit' }): Promise<void> {
  const token = (await people.tokenOf(round.principal, round.seat)) ?? ''
  const withToken = (text: string) =>
    text === tokenMark.slice(1) ? token.slice(1) : text.replace(tokenMark, token)
  const { headers, protocols } = round.plan
  const plan = {
    ...round.plan,
    path: round.plan.path,
    protocols: protocols.map(withToken),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withToken(value)])),
  }
  const { end, faults: found } = await visit(program.url, plan)
  add(statuses, `ws ${end}`)
  for (const fault of found)
    blame(fault, `nº ${round.number} ${JSON.stringify({ ...round.plan, frames: plan.frames.slice(0, 3) })}`)
}

async function shootRaw({ program }: Range, text: string): Promise<void> {
  const answer = await attack(Number(new URL(program.url).port), text)
  add(statuses, answer ? `bruto ${answer.status}` : 'bruto sem resposta')
  // A refused upgrade and a hung-up connection have no body and no page around them.
  if (!answer || answer.headers['upgrade'] !== undefined || answer.body === '') return
  for (const fault of faultsOf(answer, '', false)) blame(`bruto: ${fault}`, answer.body)
}

function play(range: Range, round: Round): Promise<void> {
  if (round.kind === 'visit') return visitLive(range, round)
  return round.kind === 'raw' ? shootRaw(range, round.text) : shoot(range, round.shot, round.number)
}

/** No round holds a shooter longer than this, whatever becomes of it: signing in again is a part of it. */
async function playInTime(range: Range, round: Round): Promise<void> {
  let patience: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    patience = setTimeout(() => resolve('late'), roundPatienceMs)
  })
  const end = await Promise.race([play(range, round), late]).finally(() => clearTimeout(patience))
  if (end !== 'late') return
  add(statuses, 'sem resposta: rodada sem fim')
  blame('rodada sem fim', `nº ${round.number} ${JSON.stringify(round)}`)
  say(`  sem resposta: nº ${round.number} ${JSON.stringify(round).slice(0, 300)}`)
}

async function bombard(range: Range, calls: number): Promise<void> {
  let left = calls
  const progress = setInterval(() => say(`  faltam ${left}`), 10_000)
  const shooters = Array.from({ length: connections }, async () => {
    while (left > 0 && range.program.seen.exits === 0) {
      const round = range.next()
      left -= round.kind === 'visit' ? round.plan.frames.length : 1
      await playInTime(range, round)
    }
  })
  await Promise.all(shooters).finally(() => clearInterval(progress))
}

/** Talks to act on: thirty people write, and the number is the simulator's. */
async function prepare(program: WatchedProgram, people: People, simulator: Simulator): Promise<void> {
  const token = await people.tokenOf('admin', 0)
  const call = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${program.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const { url: baseUrl, apiKey, instanceName } = simulator
  await call('/api/evolution-config', { baseUrl, apiKey, instanceName })
  await call('/api/evolution-config/setup-webhook', {})
  for (let n = 0; n < 30; n++) {
    const phone = simulator.control.createPhone({
      name: `Cliente ${n}`,
      number: `55119500${String(n).padStart(5, '0')}`,
    })
    simulator.control.sendText(phone.id, `Bom dia, sou o cliente ${n}`)
  }
  await simulator.control.idle()
}

/** Whatever the program serves and nobody generates would go unshot. */
async function refuseUnknownCalls(url: string, known: { method: string; path: string }[]): Promise<void> {
  const { paths } = (await (await fetch(`${url}/api/docs`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const names = new Set(known.map((call) => `${call.method} ${call.path.replace(/:(\w+)/g, '{$1}')}`))
  const unknown = Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((name) => !names.has(name) && name !== 'POST /api/webhook/evolution')
  if (unknown.length > 0) throw new Error(`chamadas que ninguém gera: ${unknown.join(', ')}`)
}

/** In MiB. */
interface Memory {
  rss: number
  heap: number
}
const told = ({ rss, heap }: Memory) => `${rss.toFixed(0)} MiB (heap ${heap.toFixed(0)})`

/** @param memory after each stretch */
function report(program: WatchedProgram, seconds: number, memory: Memory[]): boolean {
  const growth = (memory.at(-1)?.rss ?? 0) / (memory[0]?.rss ?? 1)
  say(`semente ${seed}, ${count} chamadas e quadros em ${seconds} s (${Math.round(count / seconds)}/s)`)
  for (const [status, n] of [...statuses].toSorted(([a], [b]) => a.localeCompare(b))) say(`  ${status}: ${n}`)
  say(`memória no fim contra aquecido: × ${growth.toFixed(3)} (limite ${mostGrowth})`)
  const { unhandled, exits, errors, examples } = program.seen
  say(
    `sem tratamento: ${unhandled}; saídas: ${exits}; linhas de erro no registro: ${[...errors.values()].reduce((a, b) => a + b, 0)}`,
  )
  for (const [message, n] of errors) say(`  registro: ${message} × ${n}\n    ${examples.get(message)}`)
  for (const [fault, { n, example }] of faults) say(`  FALHA ${n} × ${fault}\n    ${example}`)
  return faults.size === 0 && unhandled === 0 && exits === 0 && errors.size === 0 && growth <= mostGrowth
}

// Started as root, the database runs as another account, which must be able to pass through.
const dataDir = mkdtempSync(join(tmpdir(), 'balcao-fuzz-calls-'))
chmodSync(dataDir, 0o711)
const env = {
  DATA_DIR: dataDir,
  GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
  LOG_LEVEL: 'error',
  ADMIN_USERNAME: 'chefe',
  ADMIN_PASSWORD: 'alface-roxa-na-mesa',
}
const removeData = () => rmSync(dataDir, { recursive: true, force: true })
const simulator = await startSimulator({ apiKey: 'chave-do-simulador', instanceName: 'loja1' })
try {
  const program = await startWatched({ env })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void program.stop().finally(() => (removeData(), process.exit(1))))
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    const people = await makePeople(program.url, readConfig({ ...process.env, ...env }, false))
    await prepare(program, people, simulator)
    const calls = await allCalls()
    await refuseUnknownCalls(program.url, calls)
    const random = createRandom(seed)
    const nextShot = createShots(random, calls, seed, [simulator.url, 'http://127.0.0.1:1'])
    const range = { program, people, agent, next: createRounds(random, nextShot, people.ids) }
    const startedAt = performance.now()
    const memory: Memory[] = []
    let shot = 0
    for (const part of stretches) {
      const upTo = Math.ceil(count * part)
      await bombard(range, upTo - shot)
      shot = upTo
      const now = await program.memory()
      memory.push(now)
      say(`  memória a ${(part * 100).toFixed(0)} %: ${told(now)}`)
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.exitCode = report(program, seconds, memory) ? 0 : 1
  } finally {
    agent.destroy()
    await program.stop()
  }
} finally {
  await simulator.close()
  removeData()
}
