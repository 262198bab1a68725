import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands in every text of a note and in the name of its file, with a number of its own behind it. */
export const noteMark = 'zqnota'
/** Stands in every text that is meant for a client. */
export const replyMark = 'zqresposta'
/** Begins every file of a note: fifteen bytes, so that its beginning is the same in base64, too. */
export const fileMark = 'ZQARQUIVODENOTA'

const inside = new RegExp(`${noteMark}\\d*|${fileMark}|${Buffer.from(fileMark).toString('base64')}`, 'g')
const meant = new RegExp(`${replyMark}\\d+z`, 'g')
/** Longer than any mark: what the next bytes may complete. */
const kept = 64

/** The marks of notes in a text. */
export const marksIn = (text: string): string[] => text.match(inside) ?? []

/** A way from the program to a server outside, every byte of which is read. */
export interface Wire {
  url: string
  bytes: number
  /** What of notes has left, with what stood around it. */
  found: Map<string, string>
  /** The marks of replies that have left. */
  replies: Set<string>
  close(): Promise<void>
}

/** @param to the server's address */
export async function startWire(to: string): Promise<Wire> {
  const { port } = new URL(to)
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }
  const server = createServer((from) => {
    const target = connect({ port: Number(port), host: '127.0.0.1' })
    keep(from)
    keep(target)
    let tail = ''
    from.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('latin1')
      wire.bytes += chunk.length
      for (const { 0: mark, index } of text.matchAll(inside))
        wire.found.set(mark, text.slice(Math.max(0, index - 80), index + 80))
      for (const [mark] of text.matchAll(meant)) wire.replies.add(mark)
      tail = text.slice(-kept)
    })
    from.on('close', () => target.destroy())
    target.on('close', () => from.destroy())
    from.pipe(target).pipe(from)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const wire: Wire = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: 0,
    found: new Map(),
    replies: new Set(),
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return wire
}
