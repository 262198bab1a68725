import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A line between clients and servers of this machine that can be cut, as networks and load balancers are. */
export interface Wire {
  port: number
  /** Every connection ends now, and new ones are closed at once. */
  cut(): void
  /** Cuts after exactly so many more bytes, in the middle of whatever runs. @returns settles at the cut */
  cutAfter(bytes: number): Promise<void>
  mend(): void
  close(): Promise<void>
}

/** @param target the port to connect to at this moment; undefined: the connection is refused */
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
