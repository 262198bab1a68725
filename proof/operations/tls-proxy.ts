import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer, request as httpsRequest } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'

/** A load balancer with HTTPS, which asks one instance after the other. */
export interface TlsProxy {
  url: string
  /** The instance behind it that answered each request, in this order. */
  served: number[]
  call<Reply>(method: string, path: string, parts?: { token?: string; body?: object }): Promise<Reply>
  /** Opens the live link. @returns the first frame */
  firstFrame(token: string): Promise<string>
}

/** @param targets the addresses of the instances */
export async function startTlsProxy(
  targets: readonly string[],
  defer: (close: () => unknown) => void,
): Promise<TlsProxy> {
  const { key, cert } = makeCertificate()
  const served: number[] = []
  let turn = 0
  const next = () => {
    const at = turn++ % targets.length
    served.push(at)
    return new URL(targets[at] ?? '')
  }
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
  const server = createServer({ key, cert }, (request, response) => {
    const { hostname, port } = next()
    const headers = { ...request.headers, ...forwarded }
    const asked = httpRequest(
      { hostname, port, method: request.method, path: request.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    asked.on('error', () => response.writeHead(502).end())
    request.pipe(asked)
  })
  server.on('upgrade', (request, socket, head) => {
    const { hostname, port } = next()
    const upstream = connect(Number(port), hostname, () => {
      const headers = Object.entries({ ...request.headers, ...forwarded })
      const lines = headers.map(([name, value]) => `${name}: ${String(value)}`)
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      upstream.write(head)
      socket.pipe(upstream).pipe(socket)
    })
    for (const one of [socket, upstream]) one.on('error', () => (socket.destroy(), upstream.destroy()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `https://localhost:${port}`
  return {
    url,
    served,

    async call<Reply>(method: string, path: string, { token, body }: { token?: string; body?: object } = {}) {
      const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      }
      const asked = httpsRequest(`${url}${path}`, { method, ca: cert, headers })
      asked.end(body && JSON.stringify(body))
      const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage]
      const said = await text(answer)
      if ((answer.statusCode ?? 500) >= 400)
        throw new Error(`${method} ${path}: ${answer.statusCode} ${said}`)
      return (said === '' ? undefined : JSON.parse(said)) as Reply
    },

    async firstFrame(token) {
      const socket = new WebSocket(`${url.replace('https', 'wss')}/ws`, ['bearer', token], { ca: cert })
      try {
        const [data] = (await once(socket, 'message')) as [Buffer]
        return data.toString('utf8')
      } finally {
        socket.terminate()
      }
    },
  }
}

/** A certificate for `localhost` that signs itself. */
function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-tls-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    const { status, stderr } = spawnSync('openssl', [...words, ...names, '-keyout', key, '-out', cert])
    if (status !== 0) throw new Error(`openssl: ${String(stderr)}`)
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
