import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

// A thread of its own: the flood must not slow down what measures.

const mebibyte = 1_048_576

export interface FloodOptions {
  port: number
  /** Bodies at once. */
  bodies: number
}

/** How a flood ended: the bodies by the first line of their answers, or by the error instead. */
export type FloodEnd = Record<string, number>

interface HostileBody {
  /** What is announced, in bytes; undefined: sent in chunks, without a length. */
  length: number | undefined
  /** What the body repeats. */
  unit: string
  authorization?: string
  /** Sends a byte now and then instead of all that the connection takes. */
  isSlow?: boolean
}

/** Kinds of bodies in turn: large ones of 40 to 96 MiB, deep, flat and slow ones, with and without secret. */
function bodyOf(n: number): HostileBody {
  const length = (40 + ((n * 7) % 57)) * mebibyte
  const kinds: HostileBody[] = [
    { length, unit: '[{},{},{}],' },
    { length, unit: '[' },
    { length, unit: '{"a":', authorization: 'Bearer a-wrong-secret-of-a-stranger' },
    { length: undefined, unit: '[[[[[[[[[[' },
    { length, unit: '"', isSlow: true },
    { length: mebibyte - 1, unit: '[' },
    { length: mebibyte - 1, unit: '{"event":"messages.upsert","data":[{},{}]},' },
    { length: 500_000, unit: '[{},{},{}],', isSlow: true },
  ]
  return kinds[n % kinds.length] as HostileBody
}

const pieceBytes = 65_536
/** The bodies that are slow end here: a server may wait for them longer. */
const patienceMs = 20_000

function headOf({ length, authorization }: HostileBody): string {
  return [
    'POST /api/webhook/evolution HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...(authorization ? [`Authorization: ${authorization}`] : []),
    '',
    '',
  ].join('\r\n')
}

function pump(socket: Socket, { length, unit, isSlow }: HostileBody): void {
  const piece = Buffer.from(unit.repeat(Math.ceil(pieceBytes / unit.length)).slice(0, pieceBytes))
  const framed =
    length === undefined
      ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
      : piece
  let left = length ?? 96 * mebibyte
  if (isSlow) {
    const timer = setInterval(() => socket.write(unit), 250)
    socket.once('close', () => clearInterval(timer))
    return
  }
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      const part = left < piece.length && length !== undefined ? piece.subarray(0, left) : framed
      left -= piece.length
      if (!socket.write(part)) return void socket.once('drain', more)
    }
  }
  more()
}

function post(port: number, body: HostileBody): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const patience = setTimeout(() => socket.destroy(), patienceMs)
    socket.on('data', (data: Buffer) => {
      answer += data.toString('latin1')
      if (answer.includes('\r\n')) socket.end()
    })
    socket.on('error', (error: Error & { code?: string }) => (answer ||= error.code ?? error.message))
    socket.on('close', () => {
      clearTimeout(patience)
      resolve(answer.split('\r\n')[0] || 'no answer')
    })
    socket.on('connect', () => {
      socket.write(headOf(body))
      pump(socket, body)
    })
  })
}

const { port, bodies } = workerData as FloodOptions
const answers = await Promise.all(Array.from({ length: bodies }, (_, n) => post(port, bodyOf(n))))
const end: FloodEnd = {}
for (const answer of answers) end[answer] = (end[answer] ?? 0) + 1
parentPort?.postMessage(end)
