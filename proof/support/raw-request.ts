import { type Agent, request } from 'node:http'
import type { Answer } from '../fuzz-calls/judge.ts'

/** A shot as it goes over the wire, its session's headers with it. */
export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/**
 * Sends it and reads the answer whole. Node's own client and no pool: a pool that keeps a queue of its own
 * does not look at a deadline before the shot leaves the queue, and was seen to leave it standing while all
 * its connections idled.
 * @returns the answer, or why there is none: `prazo` when the deadline passed, otherwise the code of the
 * error
 */
export function send(url: string, agent: Agent, shot: Sent, patienceMs: number): Promise<Answer | string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const { method, path, body } = shot
    const headers = {
      ...shot.headers,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    }
    try {
      const going = request({ hostname, port, agent, method, path, headers })
      const done = (end: Answer | string) => {
        clearTimeout(patience)
        resolve(end)
      }
      const patience = setTimeout(() => {
        done('prazo')
        going.destroy()
      }, patienceMs)
      const failed = (error: Error & { code?: string }) => done(error.code ?? error.message)
      going.on('error', failed)
      going.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', failed)
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      })
      going.end(body)
    } catch (error) {
      // What the client refuses to send is no shot.
      resolve((error as Error & { code?: string }).code ?? 'erro')
    }
  })
}
