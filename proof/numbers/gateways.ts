import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import type { TwoInstances } from '../support/two-instances.ts'

/** A gateway that takes calls and never answers. */
export interface HangingGateway {
  url: string
  /** Breaks off the calls that wait. */
  close(): Promise<void>
}

export async function startHangingGateway(): Promise<HangingGateway> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Where nothing listens. */
export const refusingUrl = 'http://127.0.0.1:1'

export const setUrl = (at: TwoInstances, number: number | undefined, url: string) =>
  at.database.execute(sql`update evolution_api_config set base_url = ${url} where id = ${number}`)
