import * as z from 'zod/mini'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { clientName } from '#shared/contacts/client-phone.ts'
import { endpoint } from '#shared/endpoint.ts'
import { clientMessageId, messageText } from '#shared/messages/messages.ts'
import { sectorAsked } from '#shared/sectors/sector-asked.ts'
import { id, idParam, instant, pageParam } from '#shared/users/users.ts'
import { scheduledReasons, scheduledStates } from './states.ts'

// 'Agendar': messages that are sent at a time that a person chose. Until then they are no part of the
// conversation.

const person = z.object({ id, name: z.string(), pictureUrl: z.nullable(z.string()) })

export const scheduledMessage = z.object({
  id,
  conversationId: id,
  /** The conversation has ended: when it is due another one begins. */
  isCompleted: z.boolean(),
  contact: z.object({ id, name: clientName, avatarUrl: z.nullable(z.string()) }),
  sector: z.nullable(z.object({ id, name: z.string(), color: z.string() })),
  author: person,
  content: z.string(),
  state: z.enum(scheduledStates),
  reason: z.nullable(z.enum(scheduledReasons)),
  /** When it will be sent, or was to be. */
  sendAt: instant,
  /** The time that was asked for, where the hours have moved it; else null. */
  movedFrom: z.nullable(instant),
  cancelOnAnswer: z.boolean(),
  onlyOpen: z.boolean(),
  /** The number is not connected: once it is due the message waits for it. */
  isNumberAway: z.boolean(),
  /** When it was sent, cancelled or given up, and by whom; null: by itself. */
  endedAt: z.nullable(instant),
  endedBy: z.nullable(person),
  /** What was sent, and in which conversation, while it is there. */
  message: z.nullable(z.object({ id, conversationId: id })),
  mayChange: z.boolean(),
  createdAt: instant,
  version: z.int(),
})
export type ScheduledMessage = z.infer<typeof scheduledMessage>

/** How many of a conversation may wait. */
export const mostPending = 50
/** How far ahead, in days. */
export const mostDays = 366

const params = z.object({ id: idParam })
const sendAt = z.iso.datetime()
const chosen = { content: messageText, sendAt, cancelOnAnswer: z.boolean(), onlyOpen: z.boolean() }

export const scheduleMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/scheduled-messages',
  summary: 'Agendar uma mensagem: o horário pode passar para a próxima abertura',
  act: 'schedule',
  audit: 'conversation.schedule',
  ids: { id: 'conversation' },
  params,
  body: z.object({ ...chosen, clientMessageId: z.optional(clientMessageId) }),
  reply: scheduledMessage,
  status: 201,
})

/** Those of the client at this number, also of their earlier conversations. */
export const listOfConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/scheduled-messages',
  summary: 'O que está agendado para o cliente de uma conversa, e o que não saiu ou foi cancelado há pouco',
  act: 'viewConversations',
  audit: reading,
  ids: { id: 'conversation' },
  params,
  reply: z.array(scheduledMessage),
})

export const plannedTime = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/scheduled-messages/time',
  summary: 'Quando uma mensagem agendada sairia',
  act: 'schedule',
  audit: reading,
  ids: { id: 'conversation' },
  params,
  query: z.object({ at: sendAt, onlyOpen: z.enum(['true', 'false']) }),
  reply: z.object({
    sendAt: instant,
    isMoved: z.boolean(),
    /** Whose hours decide; null: not those of a sector. */
    sectorName: z.nullable(z.string()),
  }),
})

export const scheduledPageSize = 50

export const listScheduled = endpoint({
  method: 'GET',
  path: '/api/scheduled-messages',
  summary:
    'Mensagens agendadas: as próprias; as de todos para supervisores, as dos seus setores para líderes',
  rows: {
    'GET /api/scheduled-messages (own)': { act: 'viewConversations', audit: listing },
    'GET /api/scheduled-messages (all)': { act: 'overseeScheduled', audit: listing },
  },
  query: z.object({
    state: z.enum(scheduledStates),
    of: z.enum(['mine', 'all']),
    sectorId: z.optional(sectorAsked),
    page: z.optional(pageParam),
  }),
  reply: z.object({
    messages: z.array(scheduledMessage),
    /** How many there are of each state. */
    counts: z.record(z.enum(scheduledStates), z.int()),
  }),
})

export const changeScheduled = endpoint({
  method: 'PATCH',
  path: '/api/scheduled-messages/:id',
  summary: 'Mudar o texto, o horário e as condições de uma mensagem agendada',
  act: 'schedule',
  audit: 'conversation.change_scheduled',
  ids: { id: 'scheduled message' },
  params,
  body: z.object({ ...z.partial(z.object(chosen)).shape, version: z.int() }),
  reply: scheduledMessage,
})

export const cancelScheduled = endpoint({
  method: 'POST',
  path: '/api/scheduled-messages/:id/cancel',
  summary: 'Cancelar uma mensagem agendada, ou desistir de uma que não saiu',
  act: 'schedule',
  audit: 'conversation.cancel_scheduled',
  ids: { id: 'scheduled message' },
  params,
  reply: scheduledMessage,
})

export const sendScheduled = endpoint({
  method: 'POST',
  path: '/api/scheduled-messages/:id/send',
  summary: 'Enviar já uma mensagem agendada, ou tentar de novo; a de um colega sai como de quem envia',
  act: 'schedule',
  audit: 'conversation.send_scheduled',
  ids: { id: 'scheduled message' },
  params,
  body: z.object({ version: z.int() }),
  reply: scheduledMessage,
})
