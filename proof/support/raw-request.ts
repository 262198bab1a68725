import { type Agent, request } from 'node:http'
import type { Answer } from '../fuzz-calls/judge.ts'

/** A request with all its headers. */
export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/**
 * Sends a request and reads the whole answer. It uses Node's client without a pool: a pool ignores the
 * deadline of queued requests, and was observed to keep one queued while all its connections were idle.
 * @returns the answer, or why there is none: `timeout` after the deadline, otherwise the error's code
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
        done('timeout')
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
      // The client refused to send the request.
      resolve((error as Error & { code?: string }).code ?? 'erro')
    }
  })
}
