import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/**
 * A proxy between a browser and the server. Cut, it closes open connections and refuses new ones until
 * mended.
 */
export interface Cable {
  url: string
  cut(): void
  mend(): void
  close(): Promise<void>
}

export function createCable(serverUrl: string): Promise<Cable> {
  const port = Number(new URL(serverUrl).port)
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port: own } = server.address() as AddressInfo
      resolve({
        url: `http://127.0.0.1:${own}`,
        cut() {
          isCut = true
          for (const socket of open) socket.destroy()
        },
        mend() {
          isCut = false
        },
        close() {
          for (const socket of open) socket.destroy()
          return new Promise((done) => server.close(() => done()))
        },
      })
    })
  })
}
