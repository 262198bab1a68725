import { field, items, text } from '#server/gateway/evolution/parse/values.ts'
import { type ChangeResult, judgeChange } from './answers.ts'
import { type ClientContext, type Instance, request } from './request.ts'

/** An outgoing message that is at WhatsApp. */
export interface SentMessage {
  /** Whole jid of the chat. */
  to: string
  waId: string
}

/** The lookup of an address precedes a change, so it gets less time than the change itself. */
const addressTimeoutMs = 5000

export function editMessage(
  context: ClientContext,
  instance: Instance,
  { to, waId, text: newText }: SentMessage & { text: string },
): Promise<ChangeResult> {
  return judgeChange(() =>
    request(context, instance, {
      endpoint: '/chat/updateMessage',
      body: { number: to, key: { id: waId, remoteJid: to, fromMe: true }, text: newText },
      timeoutMs: context.times.changeMs,
    }),
  )
}

export function deleteMessage(
  context: ClientContext,
  instance: Instance,
  { to, waId }: SentMessage,
): Promise<ChangeResult> {
  return judgeChange(() =>
    request(context, instance, {
      method: 'DELETE',
      endpoint: '/chat/deleteMessageForEveryone',
      body: { id: waId, remoteJid: to, fromMe: true },
      timeoutMs: context.times.changeMs,
    }),
  )
}

export async function findAddress(
  context: ClientContext,
  instance: Instance,
  waId: string,
): Promise<string | undefined> {
  const { status, body } = await request(context, instance, {
    endpoint: '/chat/findMessages',
    body: { where: { key: { id: waId } }, page: 1, offset: 1 },
    timeoutMs: Math.min(addressTimeoutMs, context.times.changeMs),
  })
  if (status >= 400) throw new Error(`findMessages answered ${status}`)
  const [record] = items(field(field(body, 'messages'), 'records'), 1)
  return text(field(field(record, 'key'), 'remoteJid'))
}
