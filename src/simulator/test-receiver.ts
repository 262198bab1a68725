import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Control } from './control/control.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts'

/** For tests: a receiver in place of the console, and a simulator that posts to it. */

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  event: string
  body: { event: string; data: Record<string, unknown> } & Record<string, unknown>
}

export interface Receiver {
  url: string
  got: Received[]
  /** Statuses of the coming answers, then 200; 0 drops the connection. */
  answers: number[]
  headers: Record<string, string>
  /** Resolves when that many webhooks of an event have arrived. */
  until(event: string, count?: number): Promise<Received[]>
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const got: Received[] = []
  const answers: number[] = []
  const headers: Record<string, string> = {}
  let checks: (() => void)[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    request.on('end', () => {
      const status = answers.shift() ?? 200
      const body = text === '' ? { event: '', data: {} } : JSON.parse(text)
      const { method = '', url: path = '' } = request
      got.push({ method, path, headers: request.headers, event: body.event, body })
      if (status === 0) request.socket.destroy()
      else response.writeHead(status, headers).end('ok')
      for (const check of checks) check()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    answers,
    headers,
    until: (event, count = 1) =>
      new Promise((resolve) => {
        function check() {
          const found = got.filter((one) => one.event === event)
          if (found.length < count) return
          checks = checks.filter((other) => other !== check)
          resolve(found)
        }
        checks.push(check)
        check()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// Tests inspect many shapes; naming each would add nothing.
export interface Answer {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** How the gateway refuses a call. */
export const refusal = (status: number, error: string, message: unknown): Answer => ({
  status,
  body: { status, error, response: { message } },
})

/** Calls the gateway as the console does. */
export function createCaller(simulator: Simulator) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    apikey: string | null = simulator.apiKey,
  ): Promise<Answer> => {
    const answer = await fetch(simulator.url + path, {
      method,
      headers: { ...(apikey === null ? {} : { apikey }), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
}

export interface Bench {
  simulator: Simulator
  control: Control
  receiver: Receiver
  call: ReturnType<typeof createCaller>
  /** Calls an action of the main instance, such as 'message/sendText'. */
  post(action: string, body?: unknown): Promise<Answer>
  /** Sends a text to the phone as the console does. */
  sendText(text: string): Promise<Answer>
  /** Data of the webhooks of an event that have arrived so far. */
  posted(event: string): Received['body']['data'][]
  /** The next webhook of an event after an act. */
  next(event: string, act: () => unknown): Promise<Received['body'] | undefined>
  close(): Promise<void>
}

export const maria = { id: 'maria', name: 'Maria Souza', number: '5511987654321' }

/** A simulator with one phone whose webhook points at a receiver; retries wait a millisecond. */
export async function startBench(
  options: Partial<SimulatorOptions> = {},
  webhook: Record<string, unknown> = {},
): Promise<Bench> {
  const receiver = await startReceiver()
  const simulator = await startSimulator({
    apiKey: 'global-key',
    instanceName: 'loja1',
    ownerName: 'Loja Teste',
    ownerNumber: '5511955554444',
    seedPhones: [maria],
    retryBaseMs: 1,
    echoMs: 1,
    serverAckMs: 2,
    deliveryAckMs: 4,
    restartMs: 1,
    reconnectMs: 500,
    createWaitMs: 20,
    connectWaitMs: 20,
    qrDelayMs: 1,
    mediaRetryMs: 1,
    ...options,
  })
  const call = createCaller(simulator)
  const posted = (event: string) =>
    receiver.got.filter((one) => one.event === event).map(({ body }) => body.data)
  const post = (action: string, body?: unknown) => call('POST', `/${action}/loja1`, body)
  await post('webhook/set', { webhook: { enabled: true, url: receiver.url, events: [], ...webhook } })
  return {
    simulator,
    control: simulator.control,
    receiver,
    call,
    post,
    sendText: (text) => post('message/sendText', { number: maria.number, text }),
    posted,
    next: async (event, act) => {
      const before = posted(event).length
      await act()
      return (await receiver.until(event, before + 1))[before]?.body
    },
    close: async () => {
      await simulator.close()
      await receiver.close()
    },
  }
}

/** A bench that each test of the file has to itself. `restart` takes another in its place. */
export function benchForEachTest(...given: Parameters<typeof startBench>) {
  return followBench(beforeEach, afterEach, given)
}

/** A bench that all tests of the file, or of its `describe` block, share. */
export function benchForAllTests(...given: Parameters<typeof startBench>) {
  return followBench(beforeAll, afterAll, given)
}

/** Its members are those of the bench of the moment, so that a test file may name them once. */
function followBench(
  before: typeof beforeEach | typeof beforeAll,
  after: typeof afterEach | typeof afterAll,
  given: Parameters<typeof startBench>,
) {
  let bench: Bench
  const start = async (...other: typeof given) => void (bench = await startBench(...other))
  before(() => start(...given))
  after(() => bench.close())
  const part = <Name extends 'simulator' | 'control' | 'receiver'>(name: Name) =>
    new Proxy({} as Bench[Name], { get: (_empty, member) => Reflect.get(bench[name], member) })
  return {
    simulator: part('simulator'),
    control: part('control'),
    receiver: part('receiver'),
    call: (...args: Parameters<Bench['call']>) => bench.call(...args),
    post: (...args: Parameters<Bench['post']>) => bench.post(...args),
    sendText: (text: string) => bench.sendText(text),
    posted: (event: string) => bench.posted(event),
    next: (...args: Parameters<Bench['next']>) => bench.next(...args),
    restart: async (...other: typeof given) => {
      await bench.close()
      await start(...other)
    },
  }
}
