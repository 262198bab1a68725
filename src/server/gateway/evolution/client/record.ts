import { field, list, text } from '#server/gateway/evolution/parse/values.ts'

/** A message of the gateway's own record, in the shapes in which webhooks tell it. */
export interface RecordedBody {
  waId: string
  /** A `messages.upsert` of it. */
  message: unknown
  /** Of each acknowledgement of ours that the record knows, a `messages.update`. */
  updates: unknown[]
}

/** @see gateway/evolution.md §4 findMessages */
export function bodiesOf(instance: string, records: unknown): RecordedBody[] {
  return list(records).flatMap((record): RecordedBody[] => {
    const key = field(record, 'key')
    const waId = text(field(key, 'id'))
    if (!waId) return []
    const remoteJid = field(key, 'remoteJid')
    const part = (name: string) => ({ [name]: field(record, name) })
    const data = {
      key,
      ...part('pushName'),
      ...part('message'),
      ...part('messageType'),
      ...part('messageTimestamp'),
      ...part('contextInfo'),
      ...part('source'),
    }
    const statuses = field(key, 'fromMe') === true ? list(field(record, 'MessageUpdate') ?? []) : []
    const updates = statuses.map((update) => ({
      event: 'messages.update',
      instance,
      data: { keyId: waId, remoteJid, fromMe: true, status: field(update, 'status') },
    }))
    return [{ waId, message: { event: 'messages.upsert', instance, data }, updates }]
  })
}
