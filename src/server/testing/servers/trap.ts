import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server on every address of this machine to which nothing may connect. */
export interface Trap {
  port: number
  /** The addresses at which it was reached. */
  readonly caught: string[]
  close(): Promise<void>
}

export async function startTrap(): Promise<Trap> {
  const caught: string[] = []
  const server = createServer((socket) => {
    caught.push(socket.localAddress ?? '')
    socket.destroy()
  })
  server.listen(0, '::')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    caught,
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** Every attempt of this process to connect during `act`, as 'address:port', whether or not it succeeds. */
export async function connectionsDuring(act: () => Promise<void>): Promise<string[]> {
  const tried: string[] = []
  const listen = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address, port) => tried.push(`${address}:${port}`))
  }
  subscribe('net.client.socket', listen)
  try {
    await act()
  } finally {
    unsubscribe('net.client.socket', listen)
  }
  return tried
}
