import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the server does when it is asked for a voice. */
export type Hearing = 'words' | 'markup' | 'hangs' | 'fault' | 'cuts' | 'megabyte' | 'page' | 'refuses'

/** A call of the product, about one voice. */
export interface Call {
  word: string
  /** By performance.now(); `endedAt` also of one whose caller went away. */
  startedAt: number
  endedAt?: number
  isAnswered: boolean
}

/** A server of the OpenAI transcription contract that knows each voice, and does with it what is planned. */
export interface HearingServer {
  url: string
  calls: Call[]
  /** Calls that break the contract, and voices that nobody has sent. */
  faults: string[]
  /** What it does at the calls about a voice, in order; the last one again and again. */
  plan(word: string, bytes: Uint8Array, hearings: readonly Hearing[]): void
  close(): Promise<void>
}

export const wordsOf = (word: string) => `Ouvi ${word}, e nada mais`
export const markupOf = (word: string) => `<script>alert('${word}')</script><img src=x onerror=alert(1)>`

interface Planned {
  word: string
  hearings: readonly Hearing[]
  answered: number
}

/** @param hangMs how long it hangs before it closes the connection */
export async function startHearing(key: string, hangMs: number): Promise<HearingServer> {
  const planned = new Map<string, Planned>()
  const calls: Call[] = []
  const faults: string[] = []
  const server = createServer((request, response) => {
    void hear(request, response).catch((error: unknown) => faults.push(String(error)))
  })
  async function hear(request: IncomingMessage, response: ServerResponse) {
    const startedAt = performance.now()
    const bytes = await fileOf(request).catch(() => undefined)
    // Whoever asked has died while they sent it.
    if (bytes === undefined && request.destroyed && !request.complete) return
    const isContract = request.url === '/v1/audio/transcriptions' && bytes !== undefined
    if (!isContract || request.headers.authorization !== `Bearer ${key}`) {
      faults.push(`${request.method} ${request.url} is no call of the contract`)
      return void response.writeHead(400).end()
    }
    const plan = planned.get(Buffer.from(bytes).toString('base64'))
    if (!plan) {
      faults.push('a voice that nobody has sent')
      return void response.writeHead(400).end()
    }
    const call: Call = { word: plan.word, startedAt, isAnswered: false }
    calls.push(call)
    response.on('close', () => (call.endedAt = performance.now()))
    const hearing = plan.hearings[Math.min(plan.answered, plan.hearings.length - 1)] ?? 'words'
    await answer(response, hearing, plan.word, hangMs)
    if (response.destroyed && hearing !== 'hangs' && hearing !== 'cuts') return
    call.isAnswered = true
    plan.answered++
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    faults,
    plan(word, bytes, hearings) {
      planned.set(Buffer.from(bytes).toString('base64'), { word, hearings, answered: 0 })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function fileOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(Buffer.concat(parts)), { headers }).formData()
  const file = form.get('file')
  const isContract = form.get('language') === 'pt' && form.get('response_format') === 'json'
  return isContract && file instanceof File ? new Uint8Array(await file.arrayBuffer()) : undefined
}

async function answer(response: ServerResponse, hearing: Hearing, word: string, hangMs: number) {
  const json = (text: string, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  switch (hearing) {
    case 'words':
      // As long as a small model takes, so that many a kill comes meanwhile.
      await sleep(150)
      return json(JSON.stringify({ text: wordsOf(word) }))
    case 'markup':
      return json(JSON.stringify({ text: markupOf(word) }))
    case 'hangs':
      await Promise.race([sleep(hangMs), once(response, 'close')])
      return response.destroy()
    case 'fault':
      return response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>500</h1>')
    case 'cuts':
      return response.destroy()
    case 'megabyte':
      return json(JSON.stringify({ text: 'a'.repeat(1_048_576) }))
    case 'page':
      return response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${word}</html>`)
    case 'refuses':
      return json('{"error":"no"}', 400)
  }
}
