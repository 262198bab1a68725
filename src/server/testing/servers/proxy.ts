import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy between a program and a server whose connections can be cut. */
export interface Proxy {
  port: number
  /** Closes all connections, and new ones at once. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** @param target a port of this machine, or the path of a socket */
export async function startProxy(target: { port: number } | { path: string }): Promise<Proxy> {
  const open = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }
  const server = createServer((from) => {
    keep(from)
    if (isCut) return from.destroy()
    const to = connect('path' in target ? target : { ...target, host: '127.0.0.1' })
    keep(to)
    from.on('close', () => to.destroy())
    to.on('close', () => from.destroy())
    return from.pipe(to).pipe(from)
  })
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => void (isCut = false),
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
