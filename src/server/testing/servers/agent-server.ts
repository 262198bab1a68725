import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'

/** What is asked of the agent, by the contract of its service. */
const agentQuestion = z.strictObject({
  contextId: z.string().min(1),
  prompt: z.string().min(1),
  chatName: z.string(),
  chatPicture: z.string(),
  phone: z.string().regex(/^\d*$/),
})
export type AgentQuestion = z.infer<typeof agentQuestion>

const chatRequest = z.strictObject({
  model: z.string().min(1),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1),
  stream: z.literal(false),
})
export type ChatRequest = z.infer<typeof chatRequest>

/** A sound that was to be put into words, by the OpenAI contract of transcriptions. */
export interface HeardSound {
  model: string
  fileName: string
  mimeType: string
  bytes: Buffer
}

/** An answer: what becomes JSON with status 200, or all of it. */
export type Answer =
  | { json: unknown; status?: number; headers?: Record<string, string> }
  | { bytes: string | Buffer; status?: number; headers?: Record<string, string> }
  /** Closes the connection. */
  | 'cut'

/**
 * The servers of the AI as their contracts describe them: the agent's at `/v2/agent/:id`, and an OpenAI chat
 * server at `/v1`. A call that breaks a contract is answered with 400 and listed in `faults`.
 */
export interface AgentServer {
  url: string
  /** Calls without it are answered with 401. */
  readonly token: string
  readonly agentId: string
  readonly asked: AgentQuestion[]
  readonly helped: ChatRequest[]
  /** The sounds that were to be put into words. */
  readonly heard: HeardSound[]
  /** The paths of files that were fetched. */
  readonly fetched: string[]
  readonly faults: string[]
  /** What the agent answers; by default its prompt. */
  answer: (question: AgentQuestion) => Answer | Promise<Answer>
  help: (request: ChatRequest) => Answer | Promise<Answer>
  /** What it hears in a sound; by default how many bytes it has. */
  hear: (sound: HeardSound) => Answer | Promise<Answer>
  /** Files of the answers, by their paths. */
  readonly files: Map<string, Answer>
  close(): Promise<void>
}

/** `{message, images[], audios[]}` */
export const says = (message: string, files: { images?: unknown; audios?: unknown } = {}): Answer => ({
  json: { message, images: [], audios: [], ...files },
})

export const chatSays = (content: unknown): Answer => ({
  json: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }] },
})

export const soundSays = (text: unknown): Answer => ({ json: { text } })

/** Milliseconds after which an answer comes. */
export const after = async (ms: number, answer: Answer): Promise<Answer> => setTimeout(ms, answer)

export async function startAgentServer(port = 0): Promise<AgentServer> {
  const token = 'tok-4f9c1e77-segredo-do-agente'
  const agentId = 'agt_3F81K'
  const files = new Map<string, Answer>()
  const own: Omit<AgentServer, 'url' | 'close'> = {
    token,
    agentId,
    asked: [],
    helped: [],
    heard: [],
    fetched: [],
    faults: [],
    files,
    answer: ({ prompt }) => says(`Você disse: ${prompt}`),
    help: () => chatSays('ok'),
    hear: ({ bytes }) => soundSays(`Ouvi ${bytes.length} bytes`),
  }
  const refuse = (what: string): Answer => {
    own.faults.push(what)
    return { json: { error: what }, status: 400 }
  }
  const judge = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname } = new URL(request.url ?? '/', 'http://agent')
    const file = files.get(pathname)
    if (file !== undefined) {
      own.fetched.push(pathname)
      return file
    }
    if (request.headers.authorization !== `Bearer ${token}`)
      return { json: { message: 'Unauthorized' }, status: 401 }
    if (request.method === 'POST' && pathname === '/v1/audio/transcriptions') {
      const sound = await soundOf(request)
      if (!sound) return refuse('not a form of the contract')
      own.heard.push(sound)
      return own.hear(sound)
    }
    const body = await bodyOf(request)
    const agent = `/v2/agent/${agentId}`
    if (request.method === 'GET' && pathname === agent) return { json: { id: agentId, name: 'Aurora' } }
    if (request.method === 'POST' && pathname === `${agent}/conversation`) {
      const question = agentQuestion.safeParse(body)
      if (!question.success) return refuse(question.error.message)
      own.asked.push(question.data)
      return own.answer(question.data)
    }
    if (request.method === 'POST' && pathname === '/v1/chat/completions') {
      const asked = chatRequest.safeParse(body)
      if (!asked.success) return refuse(asked.error.message)
      own.helped.push(asked.data)
      return own.help(asked.data)
    }
    return { json: { message: 'Not Found' }, status: 404 }
  }
  const server = createServer((request, response) => {
    void judge(request).then(
      (answer) => send(response, answer),
      (error: unknown) => {
        own.faults.push(String(error))
        response.destroy()
      },
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return Object.assign(own, {
    url: `http://127.0.0.1:${taken}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

async function soundOf(request: IncomingMessage): Promise<HeardSound | undefined> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(await bytesOf(request), { headers }).formData().catch(() => undefined)
  const [model, file] = [form?.get('model'), form?.get('file')]
  const isContract =
    form?.get('language') === 'pt' && form.get('response_format') === 'json' && [...form.keys()].length === 4
  if (!isContract || typeof model !== 'string' || !(file instanceof File)) return undefined
  const bytes = Buffer.from(await file.arrayBuffer())
  return { model, fileName: file.name, mimeType: file.type, bytes }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = (await bytesOf(request)).toString()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return
  if (answer === 'cut') return void response.destroy()
  const { status = 200, headers = {} } = answer
  const isJson = 'json' in answer
  response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers })
  response.end(isJson ? JSON.stringify(answer.json) : answer.bytes)
}
