import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A TCP proxy between clients and servers that can be cut like a network. */
export interface Wire {
  port: number
  /** Closes every connection, and new ones at once. */
  cut(): void
  /** Cuts after exactly this many more bytes. Resolves at the cut. */
  cutAfter(bytes: number): Promise<void>
  mend(): void
  close(): Promise<void>
}

/** @param target the current port to connect to; undefined to refuse the connection */
export async function startWire(target: () => number | undefined): Promise<Wire> {
  const open = new Set<Socket>()
  let isCut = false
  let fuse: { bytes: number; burnt: () => void } | undefined

  const cut = () => {
    isCut = true
    fuse?.burnt()
    fuse = undefined
    for (const socket of open) socket.destroy()
  }
  const meter = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (!fuse) return done(null, chunk)
        const passed = chunk.subarray(0, fuse.bytes)
        fuse.bytes -= passed.length
        if (fuse.bytes === 0) setImmediate(cut)
        done(null, passed)
      },
    })
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }
  const server = createServer((from) => {
    keep(from)
    const port = isCut ? undefined : target()
    if (port === undefined) return from.destroy()
    const to = connect({ host: '127.0.0.1', port })
    keep(to)
    from.on('close', () => to.destroy())
    to.on('close', () => from.destroy())
    return from.pipe(meter()).pipe(to).pipe(meter()).pipe(from)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    cutAfter: (bytes) => new Promise((burnt) => (fuse = { bytes, burnt })),
    mend: () => void (isCut = false),
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
