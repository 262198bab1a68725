import { Agent } from 'node:http'
import { readConfig } from '#server/platform/config.ts'
import { allCalls } from '#server/testing/calls.ts'
import type { Random } from '#simulator/random.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { send } from '../support/raw-request.ts'
import { makeVisit, type Visit, visit } from './frames.ts'
import { faultsOf, isGatewayTrouble } from './judge.ts'
import { makePeople, type People } from './people.ts'
import { attack, pickAttack } from './raw.ts'
import { createCalls, type Principal, principals, type FuzzedCall } from './calls.ts'
import { type Memory, startWatched, type WatchedProgram } from '../support/watched-program.ts'
import { formatMemory, growsLittle, printStatuses, runsOn } from '../support/watched-results.ts'
import { connectNumber } from '../support/installation.ts'

/**
 * Calls after which the program is warm. Until then it compiles what is called often and its pools grow: the
 * memory grows by up to 11 %, the heap does not.
 */
const warmUpCalls = 10_000
/** The parts of a run after which the memory is read; before them is the warm-up. */
const stretches = [0, 0.25, 0.5, 0.75, 1]
/** More than any call takes, even on a busy machine. */
const patienceMs = 30_000
const roundPatienceMs = 75_000

const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)

function addFault({ faults }: Target, fault: string, example: string): void {
  const known = faults.get(fault)
  if (known) known.n++
  else faults.set(fault, { n: 1, example: example.slice(0, 700) })
}

interface Target {
  program: WatchedProgram
  people: People
  agent: Agent
  connections: number
  next: () => Round
  statuses: Map<string, number>
  faults: Map<string, { n: number; example: string }>
  print: (line: string) => void
}

/** One round, drawn completely before anything is awaited, so that it depends only on the seed. */
type Round = { number: number } & (
  | { kind: 'call'; call: FuzzedCall }
  | { kind: 'visit'; plan: Visit; principal: Principal; seat: number }
  | { kind: 'raw'; text: string }
)

/** Replaced in a plan by the session token, which is only known when the call is made. */
const tokenMark = 'sessao-da-visita'

function createRounds(random: Random, nextCall: () => FuzzedCall, ids: number[]): () => Round {
  let number = 0
  return () => {
    number++
    const dice = random()
    if (dice < 0.002) return { number, kind: 'raw', text: pickAttack(random) }
    // A fifth are frames, about ten in each visit.
    if (dice > 0.024) return { number, kind: 'call', call: nextCall() }
    const seat = Math.floor(random() * 4)
    const principal = principals[1 + Math.floor(random() * 3)] ?? 'operator'
    return { number, kind: 'visit', plan: makeVisit(random, tokenMark, ids), principal, seat }
  }
}

async function makeCall(target: Target, call: FuzzedCall, number: number): Promise<void> {
  const { program, people, agent, statuses } = target
  const token = await people.tokenOf(call.principal, call.path.length)
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...call.headers }
  const body = String(call.body ?? '').slice(0, 300)
  const what = `no. ${number} ${call.principal} ${call.method} ${call.path.slice(0, 200)} ${body}`
  const answer = await send(program.url, agent, { ...call, headers }, patienceMs)
  if (typeof answer === 'string') {
    // A call that the client refuses to send does not count. One that the peer cuts off within the body does.
    add(statuses, `no answer: ${answer}`)
    if (!/ERR_(UNESCAPED|INVALID)|EPIPE|ECONNRESET/.test(answer))
      addFault(target, `no answer: ${answer}`, what)
    return
  }
  add(statuses, isGatewayTrouble(answer) ? '502 of the gateway' : String(answer.status))
  if (token !== undefined && (answer.status === 401 || call.path.startsWith('/api/auth/logout')))
    people.forget(token)
  for (const fault of faultsOf(answer, call.path, call.method === 'HEAD'))
    addFault(target, fault, `${what} → ${answer.body.slice(0, 300)}`)
}

async function visitLive(target: Target, round: Round & { kind: 'visit' }): Promise<void> {
  const { people, program, statuses } = target
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
    addFault(
      target,
      fault,
      `no. ${round.number} ${JSON.stringify({ ...round.plan, frames: plan.frames.slice(0, 3) })}`,
    )
}

async function sendRaw(target: Target, text: string): Promise<void> {
  const { program, statuses } = target
  const answer = await attack(Number(new URL(program.url).port), text)
  add(statuses, answer ? `raw ${answer.status}` : 'raw, no answer')
  // A refused upgrade and a closed connection have neither body nor headers to check.
  if (!answer || answer.headers['upgrade'] !== undefined || answer.body === '') return
  for (const fault of faultsOf(answer, '', false)) addFault(target, `raw: ${fault}`, answer.body)
}

function playRound(target: Target, round: Round): Promise<void> {
  if (round.kind === 'visit') return visitLive(target, round)
  return round.kind === 'raw' ? sendRaw(target, round.text) : makeCall(target, round.call, round.number)
}

/** Gives up a round after a time that includes signing in again. */
async function playInTime(target: Target, round: Round): Promise<void> {
  let patience: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    patience = setTimeout(() => resolve('late'), roundPatienceMs)
  })
  const end = await Promise.race([playRound(target, round), late]).finally(() => clearTimeout(patience))
  if (end !== 'late') return
  add(target.statuses, 'no answer: a round without end')
  addFault(target, 'a round without end', `no. ${round.number} ${JSON.stringify(round)}`)
  target.print(`  no answer: no. ${round.number} ${JSON.stringify(round).slice(0, 300)}`)
}

async function callAll(target: Target, calls: number): Promise<void> {
  let left = calls
  const progress = setInterval(() => target.print(`  ${left} left`), 10_000)
  const calling = Array.from({ length: target.connections }, async () => {
    while (left > 0 && target.program.seen.exits === 0) {
      const round = target.next()
      left -= round.kind === 'visit' ? round.plan.frames.length : 1
      await playInTime(target, round)
    }
  })
  await Promise.all(calling).finally(() => clearInterval(progress))
}

/**
 * Connects the simulator's number and lets thirty clients write, so that there are conversations to act on.
 */
async function prepare(program: WatchedProgram, people: People, simulator: Simulator): Promise<void> {
  const token = await people.tokenOf('admin', 0)
  await connectNumber(program.url, token ?? '', simulator)
  for (let n = 0; n < 30; n++) {
    const phone = simulator.control.createPhone({
      name: `Cliente ${n}`,
      number: `55119500${String(n).padStart(5, '0')}`,
    })
    simulator.control.sendText(phone.id, `Bom dia, sou o cliente ${n}`)
  }
  await simulator.control.idle()
}

/**
 * Makes every call of the program, generated from its endpoint descriptions, and opens its sockets (a fifth
 * of the rounds), without a session and as operator, supervisor and administrator. It fails if an answer is a
 * 5xx, discloses internals or lacks headers, if an error is logged or not handled, if the program exits, or
 * if memory grows by more than a tenth once it is warm.
 */
export const fuzzCalls = defineScenario({
  options: { calls: 20_000, connections: 16 },
  nightly: { calls: 20_000 },

  async arrange({ options: { connections, seed }, random, print, defer }): Promise<Target> {
    const { dataDir, remove } = makeTemporaryFolder('fuzz-calls')
    defer(remove)
    const env = {
      DATA_DIR: dataDir,
      GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'error',
      ADMIN_USERNAME: 'chefe',
      ADMIN_PASSWORD: 'alface-roxa-na-mesa',
    }
    const simulator = await startSimulator({ apiKey: 'chave-do-simulador', instanceName: 'loja1' })
    defer(() => simulator.close())
    const program = await startWatched({ env })
    defer(() => program.stop())
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    defer(() => agent.destroy())
    const people = await makePeople(program.url, readConfig({ ...process.env, ...env }, false), defer)
    await prepare(program, people, simulator)
    const nextCall = createCalls(random, await allCalls(), seed, [simulator.url, 'http://127.0.0.1:1'])
    const next = createRounds(random, nextCall, people.ids)
    return { program, people, agent, connections, next, statuses: new Map(), faults: new Map(), print }
  },

  async act(target, { options: { calls: count }, print }) {
    const memory: Memory[] = []
    let made = 0
    for (const part of stretches) {
      const upTo = warmUpCalls + Math.ceil(count * part)
      await callAll(target, upTo - made)
      made = upTo
      const now = await target.program.memory()
      memory.push(now)
      print(`  memory at ${(part * 100).toFixed(0)} %: ${formatMemory(now)}`)
    }
    return memory
  },

  check(memory, { program, statuses, faults }, { options, print }): Result[] {
    printStatuses(statuses, print)
    const { errors, examples } = program.seen
    return [
      {
        property: 'no answer is a 5xx, shows too much or lacks headers',
        checked: warmUpCalls + options.calls,
        faults: [...faults].map(([fault, { n, example }]) => `${n} × ${fault}: ${example}`),
      },
      {
        property: 'nothing is logged as an error',
        checked: warmUpCalls + options.calls,
        faults: [...errors].map(([message, n]) => `${n} × ${message}: ${examples.get(message)}`),
      },
      runsOn(program),
      growsLittle(memory, print),
    ]
  },
})
