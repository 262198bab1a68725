import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A gateway that answers as instructed, and counts the calls. */
export interface CountedGateway {
  url: string
  /** Number of calls so far, such as of '/webhook/find'. */
  count(endpoint: string): number
  close(): Promise<void>
}

export interface GatewayAnswer {
  status: number
  body: unknown
}

/** The answer of a gateway whose socket is closed, whatever it says of its state. */
export const connectionClosed: GatewayAnswer = {
  status: 500,
  body: { status: 500, error: 'Internal Server Error', response: { message: 'Connection Closed' } },
}

type Reaction = GatewayAnswer | 'cut' | undefined

/** @param answer the answer to a call; 'cut' closes the connection, and undefined lets the caller wait */
export async function startCountedGateway(
  answer: (endpoint: string) => Reaction | Promise<Reaction>,
): Promise<CountedGateway> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    const endpoint = (request.url ?? '').split('/').slice(0, 3).join('/')
    calls.push(endpoint)
    request.resume()
    request.on('end', () => {
      void Promise.resolve(answer(endpoint)).then((given) => {
        if (given === 'cut') request.socket.destroy()
        else if (given)
          response
            .writeHead(given.status, { 'content-type': 'application/json' })
            .end(JSON.stringify(given.body))
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (endpoint) => calls.filter((call) => call === endpoint).length,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
