import * as z from 'zod/mini'
import { ownState } from '#shared/audit/unaudited.ts'
import { clientName, messageContent } from '#shared/contacts/client-phone.ts'
import { endpoint } from '#shared/endpoint.ts'
import { conversationActs } from '#shared/messages/message-metadata.ts'
import { messageTypes } from '#shared/messages/message-kinds.ts'
import { id, instant } from '#shared/users/users.ts'
import { notificationKinds, notificationTabs } from './kinds.ts'

/** What a person is told of, by the bell. */
export const notification = z.object({
  id,
  kind: z.enum(notificationKinds),
  /** When the newest happened of what it is about. */
  happenedAt: instant,
  isRead: z.boolean(),
  /** How many things have happened since it was read last. */
  count: z.int(),
  /** null when the conversation has left the person's reach: then nothing of it is told. */
  about: z.nullable(
    z.object({
      conversationId: id,
      isCompleted: z.boolean(),
      /** null: without a name. */
      contactName: z.nullable(clientName),
      /** Who did it; null: the client, or the product itself. */
      by: z.nullable(z.object({ id, name: z.string(), pictureUrl: z.nullable(z.string()) })),
      /** The sector as one of whose people the person was mentioned. */
      sectorName: z.nullable(z.string()),
      message: z.nullable(
        z.object({
          id,
          messageType: z.enum(messageTypes),
          senderType: z.enum(['contact', 'user']),
          /** The text, cut. */
          content: messageContent,
          isDeleted: z.boolean(),
          /** Of a line that tells of an act: which one, and who received the conversation. */
          act: z.nullable(z.enum(conversationActs)),
          to: z.nullable(z.string()),
          /** Whom the text mentions, as it calls them. */
          mentioned: z.array(z.string()),
        }),
      ),
    }),
  ),
})
export type Notification = z.infer<typeof notification>

/** How many are answered at once. */
export const notificationPageSize = 30

/** Where a page ended: microseconds since 1970, and an id. */
const cursor = z.string().check(z.regex(/^\d{1,17}\.\d{1,10}$/))

const unread = z.object({ mentions: z.int(), updates: z.int() })
export type Unread = z.infer<typeof unread>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'Menções ou avisos da pessoa, os mais novos primeiro',
  act: 'viewConversations',
  audit: ownState,
  query: z.object({ tab: z.enum(notificationTabs), before: z.optional(cursor) }),
  reply: z.object({
    notifications: z.array(notification),
    /** `before` of the next page; null: there is none. */
    next: z.nullable(z.string()),
    unread,
  }),
})

export const countUnread = endpoint({
  method: 'GET',
  path: '/api/notifications/unread',
  summary: 'Quantas menções e quantos avisos a pessoa não leu',
  act: 'viewConversations',
  audit: ownState,
  reply: unread,
})

export const readNotifications = endpoint({
  method: 'POST',
  path: '/api/notifications/read',
  summary:
    'Marcar como lidos: um aviso, os de uma conversa, os de uma aba, ou todos; o que não há já está lido',
  act: 'viewConversations',
  audit: ownState,
  body: z.object({
    id: z.optional(id),
    conversationId: z.optional(id),
    tab: z.optional(z.enum(notificationTabs)),
  }),
})
