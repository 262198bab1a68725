import { createRandom } from '#simulator/random.ts'
import { operators, openOnes, phoneOf, tokenOf } from '../environment/data.ts'
import type { HttpRequest } from './load.ts'
import { instanceName, type Environment, webhookSecret } from '../environment/environment.ts'

const json = { 'content-type': 'application/json' }

/** An incoming message with its own id. */
export interface Written {
  id: string
  phone: string
  name: string
  text: string
}

let made = 0

/**
 * Incoming messages: mostly in open conversations, one in twenty from a new contact.
 * @param prefix of the ids, so that the messages of a slice can be counted
 */
export function createWriter(
  { size, seed }: Pick<Environment, 'size' | 'seed'>,
  prefix: string,
): () => Written {
  const random = createRandom(seed + made)
  const known = openOnes(size)
  return () => {
    const n = ++made
    const contact =
      random() < 0.05
        ? size.conversations + n
        : (known[Math.floor(random() * known.length)] ?? known[0] ?? 20)
    const id = `${prefix}${String(n).padStart(8, '0')}`
    return {
      id,
      phone: phoneOf(contact),
      name: `Cliente ${contact}`,
      text: `Bom dia, e o meu pedido? <${id}>`,
    }
  }
}

const webhookHeaders = { ...json, authorization: `Bearer ${webhookSecret}` }

/** A webhook call, built like the recorded ones. */
export function webhookRequest({ id, phone, name, text }: Written): HttpRequest {
  const now = Date.now()
  const body = {
    event: 'messages.upsert',
    instance: instanceName,
    data: {
      key: { remoteJid: `${phone}@s.whatsapp.net`, fromMe: false, id, participant: '', addressingMode: 'pn' },
      pushName: name,
      status: 'DELIVERY_ACK',
      message: {
        conversation: text,
        messageContextInfo: {
          deviceListMetadata: { senderTimestamp: { low: 1_760_000_000, high: 0, unsigned: true } },
          deviceListMetadataVersion: 2,
        },
      },
      messageType: 'conversation',
      messageTimestamp: Math.floor(now / 1000),
      instanceId: '5541ba8d-312e-4a06-a375-e606f299614c',
      source: 'android',
    },
    destination: 'http://127.0.0.1/hook',
    date_time: new Date(now).toISOString(),
    sender: '5511955554444@s.whatsapp.net',
    server_url: 'http://127.0.0.1',
  }
  return {
    method: 'POST',
    path: '/api/webhook/evolution',
    headers: webhookHeaders,
    body: JSON.stringify(body),
  }
}

export const floorRequest = (path: string, body: unknown): HttpRequest => ({
  method: 'POST',
  path,
  headers: json,
  body: JSON.stringify(body),
})

/** The headers of an operator's session; operators take turns. */
export function createOperator(): () => Record<string, string> {
  let turn = 0
  return () => ({ authorization: `Bearer ${tokenOf(1 + (turn++ % operators))}` })
}

/** Operators' replies, to each conversation in turn. */
export function createReplier({ answered }: Environment, prefix: string) {
  const headersOf = createOperator()
  return () => {
    const n = ++made
    const conversation = answered[n % answered.length] ?? 0
    const clientId = `${prefix}${String(n).padStart(8, '0')}`
    const text = `Seu pedido saiu para entrega. <${clientId}>`
    return {
      clientId,
      conversation,
      text,
      request: {
        method: 'POST',
        path: `/api/conversations/${conversation}/messages`,
        headers: { ...json, ...headersOf() },
        body: JSON.stringify({ content: text, clientMessageId: clientId }),
      } satisfies HttpRequest,
    }
  }
}
