import { liveFrameEnvelope, type ClientFrame, type LiveFrame } from '#shared/live-events.ts'
import type { Position } from './frame-watch.ts'
import type { Closed } from './reconnect-policy.ts'
import { storedToken } from '#web/platform/api/token.ts'

const statsEveryMs = 30_000
const checkEveryMs = 5000
const greetingWithinMs = 10_000
const probeAfterHeartbeats = 1.25
const deadAfterHeartbeats = 2.5
const probeAnswersWithinMs = 10_000

const connectionErrors = {
  create: 'Falha ao criar conexão WebSocket',
  connect: 'Erro de conexão WebSocket',
} as const

interface Options {
  userId: number
  position: () => Position | undefined
  onFrame: (frame: LiveFrame) => void
  onError: (text: string) => void
  /** Called once, as the last callback. */
  onClosed: (closed: Closed) => void
}

export interface Connection {
  send: (frame: ClientFrame) => void
  close: () => void
}

/**
 * One WebSocket, from the attempt until it is closed. The browser hides the server's pings, so a dead
 * connection is detected by missing data: the stats requested every 30 s, then the reply to our own ping.
 */
export function openConnection(options: Options): Connection {
  let heartbeatMs = 30_000
  let lastHeardMs = performance.now()
  let probedAtMs: number | undefined
  let isGreeted = false
  let isOver = false

  const end = (closed: Closed) => {
    if (isOver) return
    isOver = true
    clearInterval(statsTimer)
    clearInterval(checkTimer)
    socket?.close()
    options.onClosed(closed)
  }
  const send = (frame: ClientFrame) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
  }
  const introduce = () => send(authenticate(options.userId, options.position()))
  const hear = (text: unknown) => {
    if (isOver) return
    lastHeardMs = performance.now()
    probedAtMs = undefined
    const frame = parseFrame(text)
    if (frame?.type === 'hello') {
      isGreeted = true
      heartbeatMs = frame.data.heartbeatMs
    }
    if (frame) options.onFrame(frame)
  }
  const check = () => {
    const now = performance.now()
    const silentMs = now - lastHeardMs
    if (!isGreeted) {
      if (silentMs > greetingWithinMs) end({ code: 1006, reason: 'no greeting' })
    } else if (probedAtMs === undefined) {
      if (silentMs < heartbeatMs * probeAfterHeartbeats) return
      probedAtMs = now
      introduce()
    } else if (silentMs > heartbeatMs * deadAfterHeartbeats && now - probedAtMs > probeAnswersWithinMs) {
      end({ code: 1006, reason: 'silence' })
    }
  }

  const statsTimer = setInterval(() => send({ type: 'request_stats', data: {} }), statsEveryMs)
  const checkTimer = setInterval(check, checkEveryMs)
  const socket = createSocket()
  if (!socket)
    // Called when the connection is established.
    queueMicrotask(() => {
      options.onError(connectionErrors.create)
      end({ code: 1006, reason: 'not created' })
    })
  socket?.addEventListener('open', introduce)
  socket?.addEventListener('message', (event) => hear(event.data))
  socket?.addEventListener('error', () => !isOver && options.onError(connectionErrors.connect))
  socket?.addEventListener('close', ({ code, reason }) => end({ code, reason }))
  return { send, close: () => end({ code: 1000, reason: 'left' }) }
}

function createSocket(): WebSocket | undefined {
  const url = new URL('/ws', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const token = storedToken()
  try {
    return new WebSocket(url, token === null ? [] : ['bearer', token])
  } catch (error) {
    console.warn(connectionErrors.create, error)
    return undefined
  }
}

function authenticate(userId: number, position: Position | undefined): ClientFrame {
  const data = position ? { userId, lastCursor: position.cursor, epoch: position.epoch } : { userId }
  return { type: 'authenticate', data }
}

function parseFrame(text: unknown): LiveFrame | undefined {
  try {
    const parsed = liveFrameEnvelope.safeParse(JSON.parse(String(text)))
    // The payloads come from the same server as REST's and are typed alike; unknown types are passed on.
    if (parsed.success) return parsed.data as LiveFrame
  } catch (error) {
    console.warn('A frame that is not JSON', error)
  }
  return undefined
}
