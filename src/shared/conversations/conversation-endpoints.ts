import * as z from 'zod/mini'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { contactCard } from '#shared/contacts/contacts.ts'
import { endpoint } from '#shared/endpoint.ts'
import { mostTagsOfOne } from '#shared/tags/tags.ts'
import { id, idParam, pageParam } from '#shared/users/users.ts'
import { conversation, conversationPage, priorities } from './conversations.ts'
import { listFilterParams } from '#shared/views/list-filters.ts'
import { listOrders, listTabs } from './list/list-view.ts'

const conversationParams = z.object({ id: idParam })

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'Conversas abertas: a lista inteira, ou uma página de uma aba, na ordem dada, com `page`',
  act: 'viewConversations',
  audit: listing,
  query: z.object({
    page: z.optional(pageParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
    search: z.optional(z.string().check(z.maxLength(200))),
    tab: z.optional(z.enum(listTabs)),
    order: z.optional(z.enum(listOrders)),
    ...listFilterParams,
  }),
  reply: z.union([z.array(conversation), conversationPage]),
})

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:id',
  summary: 'Uma conversa',
  rows: {
    'GET /api/conversations/{open}': { act: 'viewConversations', audit: reading },
    'GET /api/conversations/{completed}': { act: 'viewWholeArchive', audit: 'conversation.read' },
  },
  ids: { id: 'conversation' },
  params: conversationParams,
  reply: conversation,
})

/** Where to write to a contact: the open conversation, or a new one that the first message creates. */
export const startConversation = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/start-conversation',
  summary: 'Onde se fala com um contato: a conversa aberta, ou uma nova, criada pela primeira mensagem',
  rows: {
    'POST /api/contacts/{id}/start-conversation (existing)': { act: 'viewConversations', audit: reading },
    'POST /api/contacts/{id}/start-conversation (new)': {
      act: 'startConversation',
      audit: { not: 'writes nothing; the first message does' },
    },
  },
  ids: { id: 'contact' },
  params: conversationParams,
  body: z.nullish(
    z.object({
      /** The number to write from; absent: that of the last conversation, else the main one. */
      instanceId: z.optional(id),
    }),
  ),
  reply: z.object({
    existing: z.boolean(),
    conversationId: z.nullable(id),
    pendingCreation: z.boolean(),
    /** The number of that conversation; null while there is none to begin one at. */
    instanceId: z.nullable(id),
    contactId: id,
    contact: contactCard,
  }),
})

/** The assigned user that the caller saw. If it is another one now, the call is refused. */
const holderId = z.optional(z.nullable(id))

export const assignOperator = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/assign-operator',
  summary: 'Assumir, atribuir ou devolver à fila (operatorId null)',
  rows: {
    'PATCH /api/conversations/{id}/assign-operator (self)': { act: 'take', audit: 'conversation.assign' },
    'PATCH /api/conversations/{id}/assign-operator (other)': {
      act: 'transfer',
      audit: 'conversation.assign',
    },
  },
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({ operatorId: z.nullable(id), holderId, version: z.optional(z.int()) }),
  reply: z.object({ conversation, operator: z.nullable(z.object({ id, name: z.string() })) }),
})

export const takeNextConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/take-next',
  summary: 'Assumir próxima: a conversa que espera há mais tempo na fila',
  act: 'takeNext',
  audit: 'conversation.assign',
  /** Only of one sector; absent: of all queues that are the person's. */
  body: z.nullish(z.object({ sectorId: z.optional(id) })),
  reply: z.object({ conversation }),
})

export const transferConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/transfer',
  summary: 'Transferir a outro operador',
  act: 'transfer',
  audit: 'conversation.transfer',
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({
    newOperatorId: id,
    /**
     * One of the receiver's sectors, which becomes that of the conversation; absent: it stays if it is one of
     * theirs, else it becomes the first of theirs.
     */
    sectorId: z.optional(id),
    /** Shown to the team only. */
    note: z.optional(z.string().check(z.maxLength(2000))),
    /** One that is on hold returns at once; absent: it stays on hold. */
    endsSnooze: z.optional(z.boolean()),
    holderId,
    version: z.optional(z.int()),
  }),
  reply: z.object({ conversation }),
})

export const finalizeConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/finalize',
  summary: 'Finalizar o atendimento',
  act: 'finalize',
  audit: 'conversation.finalize',
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({
    notes: z.optional(z.string().check(z.maxLength(10_000))),
    /** Why it ends; where one is required, a call without is refused. */
    reasonId: z.optional(z.nullable(id)),
    /** Tags that it is given before it ends; where one is required, a conversation without any is refused. */
    tagIds: z.optional(z.array(id).check(z.maxLength(mostTagsOfOne))),
    holderId,
    version: z.optional(z.int()),
    /** The last message that the caller saw: what the client has written since would end unread. */
    seenMessageId: z.optional(id),
    /** The caller offers to undo it, so the texts to the client wait until that is no longer possible. */
    isUndoable: z.optional(z.boolean()),
  }),
  reply: z.object({ conversation }),
})

/** Undoes a finalization of one's own, while the client has been told nothing of it. */
export const undoFinalize = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/undo-finalize',
  summary: 'Desfazer uma finalização própria, enquanto os textos ao cliente não saíram',
  act: 'finalize',
  audit: 'conversation.reopen',
  ids: { id: 'conversation' },
  params: conversationParams,
  reply: z.object({ conversation }),
})

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id',
  summary: 'Excluir a conversa com todas as mensagens; arquivadas, só administradores',
  rows: {
    'DELETE /api/conversations/{open}': { act: 'deleteConversation', audit: 'conversation.delete' },
    'DELETE /api/conversations/{archived}': { act: 'deleteArchived', audit: 'conversation.delete' },
  },
  ids: { id: 'conversation' },
  params: conversationParams,
  // The last message that the caller saw: what the client has written since would be lost unread.
  query: z.object({ seenMessageId: z.optional(idParam) }),
})

export const toggleAutoClose = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/toggle-auto-close',
  summary: 'Ligar ou desligar o fechamento automático',
  act: 'toggleAutoClose',
  audit: 'conversation.auto_close',
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({ disableAutoClose: z.boolean() }),
  reply: z.object({ conversation }),
})

export const setPriority = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/priority',
  summary: 'Mudar a prioridade',
  act: 'prioritize',
  audit: 'conversation.priority',
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({ priority: z.enum(priorities) }),
  reply: z.object({ conversation }),
})

export const viewConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/view',
  summary: 'Registrar que a conversa foi aberta; só administradores veem quem abriu',
  act: 'viewConversations',
  audit: { not: 'recorded in the timeline, as view_tracking' },
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({ action: z.enum(['enter', 'leave']) }),
})
