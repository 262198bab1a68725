import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// A thread of its own: the flood must not slow down what measures.

const mebibyte = 1_048_576

export interface FloodOptions {
  port: number
  /** Bodies at once. */
  bodies: number
  /** For this long every stranger posts their body again three seconds after it ended, in milliseconds. */
  forMs: number
  /** The loopback addresses from which they come: 127.0.0.2 and those after it. */
  addresses: number
}

/** How a flood ended: the bodies by the first line of their answers, or by the error instead. */
export type FloodEnd = Record<string, number>

interface HostileBody {
  /** What is announced, in bytes; undefined: sent in chunks, without a length. */
  length: number | undefined
  /** What the body repeats. */
  unit: string
  /** What it begins and ends with, where it is JSON to its end. */
  around?: [string, string]
  authorization?: string
  /** Sends a byte now and then instead of all that the connection takes. */
  isSlow?: boolean
}

/** A body within every limit, whose cost is that of parsing it. */
const valid = (before: string, unit: string, after: string): HostileBody => ({
  length: mebibyte - 1,
  unit,
  around: [before, after],
})
const deep = `${'['.repeat(190)}${']'.repeat(190)}`

/**
 * Kinds of bodies in turn: large ones of 40 to 96 MiB, deep, flat and slow ones, with and without secret, and
 * valid ones of 1 MiB of very many values.
 */
function bodyOf(n: number): HostileBody {
  const length = (40 + ((n * 7) % 57)) * mebibyte
  const kinds: HostileBody[] = [
    { length, unit: '[{},{},{}],' },
    valid('[{}', ',{}', ']'),
    { length, unit: '{"a":', authorization: 'Bearer a-wrong-secret-of-a-stranger' },
    valid('{"event":"messages.upsert","data":[0', ',{"a":{}}', '],"apikey":"a-wrong-key"}'),
    { length: undefined, unit: '[[[[[[[[[[' },
    valid('[0', `,${deep}`, ']'),
    { length: mebibyte - 1, unit: '"', isSlow: true },
    valid('{"instance":"loja1","data":{"0":0', ',"a":[]', '},"apikey":"\\u0061"}'),
    { length: mebibyte - 1, unit: '[' },
    valid('["', '😀', '"]'),
    { length: 500_000, unit: '[{},{},{}],', isSlow: true },
    valid('{"data":"', 'x', '"}'),
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

const wholes = new Map<string, Buffer>()
/** A valid body, padded with blanks to its length. */
function wholeOf({ length = 0, unit, around: [before, after] = ['', ''] }: HostileBody): Buffer {
  const known = wholes.get(before)
  if (known) return known
  const room = length - Buffer.byteLength(before) - Buffer.byteLength(after)
  const json = before + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + after
  const whole = Buffer.alloc(length, ' ')
  whole.write(json)
  wholes.set(before, whole)
  return whole
}

function pump(socket: Socket, body: HostileBody): void {
  const { length, unit, isSlow } = body
  if (body.around) return void socket.write(wholeOf(body))
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

function post(localAddress: string, body: HostileBody): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
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

const { port, bodies, forMs, addresses } = workerData as FloodOptions
const end: FloodEnd = {}
const endsAt = performance.now() + forMs

async function repeat(n: number): Promise<void> {
  // Each address sends every kind, since the numbers of kinds and addresses have no common divisor.
  const localAddress = `127.0.0.${2 + (n % addresses)}`
  do {
    const answer = await post(localAddress, bodyOf(n))
    end[answer] = (end[answer] ?? 0) + 1
    await sleep(3000)
  } while (performance.now() < endsAt)
}

await Promise.all(Array.from({ length: bodies }, (_, n) => repeat(n)))
parentPort?.postMessage(end)
