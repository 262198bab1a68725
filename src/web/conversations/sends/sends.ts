/** Sends on their way: how long they are repeated, and how they survive a reload. */
import type { Mention } from '#shared/messages/message-metadata.ts'
import type { Message, quotedMessage } from '#shared/messages/messages.ts'
import type * as z from 'zod/mini'

/** Where a message is written: in a conversation, or to a contact with whom the first message creates one. */
export type Chat =
  | { conversationId: number }
  /** `instanceId` is the number to write by; absent: the only one. */
  | { contactId: number; instanceId?: number }

/** Unique among the chats of a person. */
export function chatKey(chat: Chat): number | string {
  return 'contactId' in chat ? `contact-${chat.contactId}` : chat.conversationId
}

/** undefined until the conversation exists. */
export function conversationIn(chat: Chat): number | undefined {
  return 'contactId' in chat ? undefined : chat.conversationId
}

/** A composed reply. It exists from the Enter key until the server confirms it or somebody discards it. */
export type Send = Composed & Chat

interface Composed {
  /** The author: a send is never made in another person's session. */
  userId: number
  userName: string
  /** Made when the text is composed, and the same on every attempt, so that repeating is harmless. */
  clientMessageId: string
  content: string
  quoted: z.infer<typeof quotedMessage> | null
  /** The quick reply that the text came from; a file has its own. */
  quickReply?: string
  /** A note of the team, in a conversation: saved like a message, and never sent to the client. */
  isNote?: true
  /** Whom the note mentions. */
  mentions?: Mention[]
  composedAtMs: number
  /** A file is kept only until the page is closed. */
  file?: SentFile
}

/** A file as the browser sees it, before the server has checked it. */
export interface SentFile {
  file: File
  /** Object URL of the file in this browser. */
  url: string
  messageType: 'image' | 'video' | 'audio' | 'document'
  isVoice?: boolean
  /** The quick reply that it came from. */
  quickReply?: string
  seconds?: number
  width?: number
  height?: number
}

/**
 * A send as stored in the browser; `refusal` is the server's reason, and a person decides what happens next.
 */
export type StoredSend = Send & { refusal?: string | undefined }

/** A send as the timeline shows it; `error` is the server's refusal, null while the send is on its way. */
export type PendingSend = Send & { error: string | null }

/** What a failed attempt means for the send. */
export type Verdict = 'again' | 'refused'

const hopefulServerErrors = 5

/** @param status of the answer; 0 if there was none @param attempt counts from 0 */
export function judgeFailure(status: number, attempt: number): Verdict {
  if (status === 0 || status === 401 || status === 408 || status === 429) return 'again'
  if (status === 502 || status === 503 || status === 504) return 'again'
  // Its disk is full: the same file would be uploaded in vain again and again.
  if (status === 507) return 'refused'
  // A server that fails on this very text must not block the sends behind it for ever.
  if (status >= 500) return attempt + 1 < hopefulServerErrors ? 'again' : 'refused'
  return 'refused'
}

export function pauseMs(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000)
}

/** Repeats the same call until it is confirmed or refused. */
export async function deliver(
  send: Send,
  post: (send: Send) => Promise<Message>,
  statusOf: (error: unknown) => number,
  pause: (ms: number) => Promise<void>,
): Promise<Message> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await post(send)
    } catch (error) {
      if (judgeFailure(statusOf(error), attempt) === 'refused') throw error
      await pause(pauseMs(attempt))
    }
  }
}

let lastComposedAtMs = 0
/** Never the same twice, so that sends keep their order through a reload. */
export function composedNow(nowMs: number): number {
  lastComposedAtMs = Math.max(lastComposedAtMs + 1, nowMs)
  return lastComposedAtMs
}

// One entry for each send, so that two tabs never overwrite each other's.
function entryKey(userId: number, clientMessageId: string) {
  return `balcao:send:${userId}:${clientMessageId}`
}

export function storeSend(send: StoredSend): void {
  if (send.file) return
  try {
    localStorage.setItem(entryKey(send.userId, send.clientMessageId), JSON.stringify(send))
  } catch (error) {
    // With full or forbidden storage the send is not lost, only its survival of a reload.
    console.warn('The send could not be kept for a reload', error)
  }
}

export function forgetSend(send: Pick<Send, 'userId' | 'clientMessageId'>): void {
  try {
    localStorage.removeItem(entryKey(send.userId, send.clientMessageId))
  } catch (error) {
    console.warn('The send could not be removed from the storage', error)
  }
}

/** The person's unconfirmed sends from before the page was left, in the order of composing. */
export function storedSends(userId: number): StoredSend[] {
  const prefix = entryKey(userId, '')
  const sends: StoredSend[] = []
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix)) sends.push(JSON.parse(localStorage.getItem(key) ?? '') as StoredSend)
    }
  } catch (error) {
    console.warn('Kept sends could not be read', error)
  }
  return sends.sort((a, b) => a.composedAtMs - b.composedAtMs)
}
