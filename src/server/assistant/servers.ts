import { maxAnswerLength } from '#shared/assistant/conversation-assistant.ts'
import { maxTextLength } from '#shared/messages/messages.ts'
import { assistantTexts } from '#shared/text/assistant-texts.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import type { OutgoingCall, OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { type AgentAnswer, cleanText, readAnswer } from './answer.ts'
import { AssistantFailure, badAnswer, expectSuccess, failureOf } from './failure.ts'
import { type Sound, soundForm } from './sound-form.ts'

/** An agent of the service, with its token in clear text: keep it only for the duration of a call. */
export interface Agent {
  agentId: string
  apiToken: string
}

/** What is asked of the agent, as its service wants it. */
export interface Question {
  /** The agent remembers what was said under it. */
  contextId: string
  prompt: string
  chatName: string
  /** Digits; '' for a number that WhatsApp hides. */
  phone: string
}

/** A server that speaks the OpenAI contract of chats or transcriptions, with its key in clear text, or ''. */
export interface ModelServer {
  baseUrl: string
  model: string
  key: string
}

/** What the server is asked to do, and with which text, which is none of its instructions. */
export interface HelpTask {
  instruction: string
  material: string
}

/**
 * The servers of the AI. They are reached by addresses that an administrator entered, as the gateway is, and
 * what they say is never trusted. No call may be made inside a transaction.
 */
export interface AssistantServers {
  /** @throws AssistantFailure, AppError gateway.address_refused */
  ask(agent: Agent, question: Question): Promise<AgentAnswer>
  /** The name of the agent; '' when the service names none. @throws as `ask` */
  look(agent: Agent): Promise<string>
  /** A text for a person of the team; `stopping` breaks the call off. @throws as `ask` */
  complete(server: ModelServer, task: HelpTask, stopping?: AbortSignal): Promise<string>
  /** The words of a sound; '' where it has none. `stopping` breaks the call off. @throws as `ask` */
  transcribe(server: ModelServer, sound: Sound, stopping?: AbortSignal): Promise<string>
  /** Passes a file of an answer to `take` while it arrives. @throws as `ask`, and what `take` throws */
  openFile<T>(url: string, take: (bytes: AsyncIterable<Buffer>) => Promise<T>): Promise<T>
}

const maxAnswerBytes = 262_144
/** Milliseconds. A model on one's own machine may take its time, and a person waits and can cancel. */
const defaultTimes = {
  agentMs: 30_000,
  lookMs: 10_000,
  helpMs: 90_000,
  fileMs: 20_000,
  transcribeMs: 180_000,
}
export type AssistantServerTimes = typeof defaultTimes

/** @param agentUrl the service of the agent, without a slash at its end */
export function createAssistantServers(
  http: OutgoingHttp,
  agentUrl: string,
  times: Partial<AssistantServerTimes> = {},
): AssistantServers {
  const { agentMs, lookMs, helpMs, fileMs, transcribeMs } = { ...defaultTimes, ...times }
  const call = async (key: string, sent: Omit<OutgoingCall, 'headers' | 'maxBytes'>) => {
    const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` }
    const { status, body } = await http
      .fetchJson({ ...sent, headers, maxBytes: maxAnswerBytes })
      .catch((error: unknown) => {
        throw failureOf(error)
      })
    expectSuccess(status)
    if (hasKey(body, key)) throw badAnswer()
    return body
  }
  const agentAt = ({ agentId }: Agent) => `${agentUrl}/v2/agent/${encodeURIComponent(agentId)}`
  return {
    async ask(agent, question) {
      const url = `${agentAt(agent)}/conversation`
      const body = { ...question, chatPicture: '' }
      return readAnswer(await call(agent.apiToken, { method: 'POST', url, body, timeoutMs: agentMs }))
    },
    async look(agent) {
      const url = agentAt(agent)
      const body = await call(agent.apiToken, { method: 'GET', url, timeoutMs: lookMs })
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badAnswer()
      const name = Object.hasOwn(body, 'name') ? (body as { name: unknown }).name : ''
      return typeof name === 'string' ? cleanText(name).slice(0, 100).toWellFormed() : ''
    },
    async complete({ baseUrl, model, key }, { instruction, material }, signal) {
      const body = await call(key, {
        method: 'POST',
        url: `${withoutSlash(baseUrl)}/chat/completions`,
        // Nothing that one server or model understands and another refuses, such as a limit of its words.
        body: {
          model,
          messages: [
            { role: 'system', content: instruction },
            { role: 'user', content: material },
          ],
          stream: false,
        },
        timeoutMs: helpMs,
        ...(signal && { signal }),
      })
      const text = cleanText(withoutThoughts(contentOf(body)))
      if (showsNothing(text)) throw new AssistantFailure(assistantTexts.empty)
      return text.slice(0, maxAnswerLength).toWellFormed()
    },
    async transcribe({ baseUrl, model, key }, sound, signal) {
      const body = await call(key, {
        method: 'POST',
        url: `${withoutSlash(baseUrl)}/audio/transcriptions`,
        streamed: soundForm({ model, language: 'pt', response_format: 'json' }, sound),
        timeoutMs: transcribeMs,
        ...(signal && { signal }),
      })
      const text = ownText(body)
      if (text === undefined) throw badAnswer()
      const words = cleanText(text)
      return showsNothing(words) ? '' : words.slice(0, maxTextLength).toWellFormed()
    },
    async openFile(url, take) {
      if (!URL.canParse(url)) throw badAnswer()
      const { status, body } = await http
        .fetchStream({ method: 'GET', url, timeoutMs: fileMs })
        .catch((error: unknown) => {
          throw failureOf(error)
        })
      try {
        expectSuccess(status)
        return await take(body)
      } finally {
        // What was not read is not waited for.
        await body[Symbol.asyncIterator]().return?.()
      }
    },
  }
}

const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')

/** `text` of `{text}`; undefined for anything else. */
function ownText(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'text')) return undefined
  const { text } = body as { text: unknown }
  return typeof text === 'string' ? text : undefined
}

/** Whether an answer quotes the key, which would then be shown, sent or stored. A short one is no secret. */
function hasKey(body: unknown, key: string): boolean {
  if (key.length < 12) return false
  try {
    return (JSON.stringify(body) ?? '').includes(JSON.stringify(key).slice(1, -1))
  } catch {
    // Nested too deeply to be written again: no answer of a contract.
    return true
  }
}

/** `choices[0].message.content`. @throws AssistantFailure */
function contentOf(body: unknown): string {
  const choices = (body as { choices?: unknown } | null | undefined)?.choices
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : []
  const content = (choice as { message?: { content?: unknown } | null } | null | undefined)?.message?.content
  if (typeof content !== 'string') throw badAnswer()
  return content
}

/** Some models write what they think before they answer. */
const withoutThoughts = (text: string) => text.replace(/^\s*<think>[\s\S]*?<\/think>/, '')
