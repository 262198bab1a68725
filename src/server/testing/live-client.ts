import { afterEach } from 'vitest'
import { WebSocket } from 'ws'
import type { LiveFrame } from '#shared/live-events.ts'
import { eventually } from './test-app.ts'

/** The socket of a browser, or of a client that imitates one. */
export interface LiveClient {
  /** All received frames, in order. */
  readonly frames: LiveFrame[]
  readonly isOpen: boolean
  /** Resolves when the socket is closed, by either side. */
  readonly closed: Promise<{ code: number; reason: string }>
  send(frame: unknown): void
  /** Sends the data unchanged: text, or bytes as a binary frame. */
  sendRaw(data: string | Buffer): void
  /** Waits for the first frame of the type that matches. */
  heard<Type extends LiveFrame['type']>(
    type: Type,
    isMeant?: (frame: Extract<LiveFrame, { type: Type }>) => boolean,
  ): Promise<Extract<LiveFrame, { type: Type }>>
  close(): Promise<void>
  /** Ends the connection without a closing handshake, as a failing network does. */
  terminate(): Promise<void>
}

export interface Upgrade {
  token?: string
  protocols?: string[]
  headers?: Record<string, string>
}

const passing: ReadonlySet<string> = new Set(['presence', 'viewing', 'typing'])

/** The types of the frames from the log; frames such as presence, which come at any time, are left out. */
export function typesOf(client: LiveClient): LiveFrame['type'][] {
  return client.frames.map((frame) => frame.type).filter((type) => !passing.has(type))
}

const address = (url: string) => `${url.replace('http:', 'ws:')}/ws`

function open(url: string, { token, protocols, headers = {} }: Upgrade): WebSocket {
  const offered = protocols ?? (token ? ['bearer', token] : [])
  return new WebSocket(address(url), offered, { headers })
}

/** Resolves when the socket is open, which is before the 'hello'. */
export async function connectLive(url: string, upgrade: Upgrade): Promise<LiveClient> {
  const ws = open(url, upgrade)
  const frames: LiveFrame[] = []
  ws.on('message', (data) => frames.push(JSON.parse((data as Buffer).toString('utf8')) as LiveFrame))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }))
  })
  await new Promise<void>((resolve, reject) => {
    ws.on('open', resolve)
    ws.on('error', reject)
  })
  return {
    frames,
    get isOpen() {
      return ws.readyState === ws.OPEN
    },
    closed,
    send: (frame) => ws.send(JSON.stringify(frame)),
    sendRaw: (data) => ws.send(data),
    async heard(type, isMeant = () => true) {
      const find = () => frames.find((frame) => frame.type === type && isMeant(frame as never))
      const found = await eventually(find, (frame) => frame !== undefined)
      return found as never
    },
    async close() {
      ws.close()
      await closed
    },
    async terminate() {
      ws.terminate()
      await closed
    },
  }
}

/** Connects the socket of a person as a tab of their browser does, and waits for its greeting. */
export async function openTab(
  { url }: { url: string },
  who: { token: string; userId: number },
): Promise<LiveClient> {
  const client = await connectLive(url, { token: who.token })
  client.send({ type: 'authenticate', data: { userId: who.userId } })
  await client.heard('hello')
  return client
}

/** @returns `openTab`, whose sockets are ended after each test of the file */
export function tabsOfTests(): typeof openTab {
  const open: LiveClient[] = []
  afterEach(() => Promise.all(open.splice(0).map((client) => client.terminate())))
  return async (app, who) => {
    const client = await openTab(app, who)
    open.push(client)
    return client
  }
}

/** @returns the status with which the upgrade was refused */
export function refusedUpgrade(url: string, upgrade: Upgrade): Promise<number | undefined> {
  const ws = open(url, upgrade)
  return new Promise((resolve) => {
    ws.on('unexpected-response', (request, response) => {
      request.destroy()
      resolve(response.statusCode)
    })
    ws.on('open', () => {
      ws.terminate()
      resolve(undefined)
    })
    ws.on('error', () => undefined)
  })
}
