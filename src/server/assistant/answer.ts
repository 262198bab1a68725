import { askedPersonMark } from '#shared/assistant/assistant-config.ts'
import { maxAnswerLength } from '#shared/assistant/conversation-assistant.ts'
import { assistantTexts } from '#shared/text/assistant-texts.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { AssistantFailure, badAnswer } from './failure.ts'

/** What the agent answers a client. It is a stranger's text: shown and sent as it is, never carried out. */
export interface AgentAnswer {
  /** '' when there are only files. */
  message: string
  /** Addresses of pictures and of sounds. */
  images: string[]
  audios: string[]
  /** The agent wants a person to go on. */
  asksPerson: boolean
}

/** Of each kind; more than that is no answer but a flood. */
const mostFiles = 4
const longestAddress = 2000

/**
 * Reads the answer of the service's contract: `{message, images[], audios[]}`.
 * @throws AssistantFailure for anything else, and for an answer without content
 */
export function readAnswer(body: unknown): AgentAnswer {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badAnswer()
  const message = own(body, 'message') ?? ''
  if (typeof message !== 'string') throw badAnswer()
  const asksPerson = message.toUpperCase().includes(askedPersonMark)
  const words = cleanText(withoutMark(message))
  if (words.length > maxAnswerLength) throw new AssistantFailure(assistantTexts.tooLarge)
  const answer = {
    message: showsNothing(words) ? '' : words,
    images: addresses(own(body, 'images')),
    audios: addresses(own(body, 'audios')),
    asksPerson,
  }
  const isEmpty = answer.message === '' && answer.images.length + answer.audios.length === 0
  if (isEmpty && !asksPerson) throw new AssistantFailure(assistantTexts.empty)
  return answer
}

const own = (from: object, name: string): unknown =>
  Object.hasOwn(from, name) ? (from as Record<string, unknown>)[name] : undefined

function addresses(list: unknown): string[] {
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw badAnswer()
  if (!list.every((item): item is string => typeof item === 'string')) throw badAnswer()
  if (list.length > mostFiles || list.some((item) => item.length > longestAddress))
    throw new AssistantFailure(assistantTexts.tooLarge)
  return list
}

const mark = new RegExp(askedPersonMark.replace(/[[\]]/g, String.raw`\$&`), 'gi')
const withoutMark = (text: string) => text.replace(mark, '')

/** A text that the database can store and that a chat shows as one: no control characters, whole letters. */
export function cleanText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- they are what is taken out
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}
