import { z } from 'zod'
import type { Endpoint, Schema } from '#shared/endpoint.ts'
import { uploadFields, uploadMedia } from '#shared/messages/media.ts'

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  items?: JsonSchema
}

/** The keys of a schema at any depth, such as 'to.conversationId'. */
function keysOf(schema: Schema | undefined): string[] {
  if (!schema) return []
  const walk = ({ properties = {}, anyOf = [], items }: JsonSchema): string[] => [
    ...Object.entries(properties).flatMap(([key, inner]) => [
      key,
      ...walk(inner).map((deeper) => `${key}.${deeper}`),
    ]),
    ...anyOf.flatMap(walk),
    ...(items ? walk(items) : []),
  ]
  return walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
}

/** The key of a send is made by its sender, and found in the conversation that it is sent to. */
const isMessageId = (key: string) => /message_?ids?$/i.test(key) && !/client_?message_?id$/i.test(key)
/** A page of messages begins at a message. */
const isPlace = (path: string, key: string) =>
  /\/(messages|media)$/.test(path) && /^(before|after|around|from|until)$/.test(key)
/** The name of a file stands for its message. */
const isFileName = (path: string, key: string) => path.startsWith('/api/media/') && key === 'name'

/**
 * Every place of a call in which the id of a message is given: 'PUT /api/… body.lastMessageId'. Found by what
 * parameters are called, so that a new call is found, too.
 */
export function placesOfMessageIds(calls: Endpoint[]): string[] {
  return calls.flatMap(({ method, path, params, query, body }) => {
    const given: [string, Schema | undefined][] = [
      ['params', params],
      ['query', query],
      ['body', path === uploadMedia.path ? uploadFields : body],
    ]
    return given.flatMap(([part, schema]) =>
      [...new Set(keysOf(schema))]
        .filter((key) => {
          const last = key.split('.').at(-1) ?? ''
          return isMessageId(last) || isPlace(path, last) || isFileName(path, last)
        })
        .map((key) => `${method} ${path} ${part}.${key}`),
    )
  })
}
