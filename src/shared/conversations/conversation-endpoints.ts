import * as z from 'zod/mini'
import { contactCard } from '#shared/contacts/contacts.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, pageParam } from '#shared/users/users.ts'
import { conversation, conversationPage, priorities } from './conversations.ts'
import { listOrders, listTabs } from './list-view.ts'

const conversationParams = z.object({ id: idParam })

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'Conversas abertas: a lista inteira, ou uma página de uma aba, na ordem dada, com `page`',
  query: z.object({
    page: z.optional(pageParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
    search: z.optional(z.string().check(z.maxLength(200))),
    tab: z.optional(z.enum(listTabs)),
    order: z.optional(z.enum(listOrders)),
    /** Only those of one number. */
    instanceId: z.optional(idParam),
  }),
  reply: z.union([z.array(conversation), conversationPage]),
})

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:id',
  summary: 'Uma conversa',
  params: conversationParams,
  rows: ['GET /api/conversations/{open}', 'GET /api/conversations/{completed}'],
  reply: conversation,
})

/** Where to write to a contact: the open conversation, or a new one that the first message creates. */
export const startConversation = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/start-conversation',
  summary: 'Onde se fala com um contato: a conversa aberta, ou uma nova, criada pela primeira mensagem',
  params: conversationParams,
  rows: [
    'POST /api/contacts/{id}/start-conversation (existing)',
    'POST /api/contacts/{id}/start-conversation (new)',
  ],
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
  params: conversationParams,
  rows: [
    'PATCH /api/conversations/{id}/assign-operator (self)',
    'PATCH /api/conversations/{id}/assign-operator (other)',
  ],
  body: z.object({ operatorId: z.nullable(id), holderId, version: z.optional(z.int()) }),
  reply: z.object({ conversation, operator: z.nullable(z.object({ id, name: z.string() })) }),
})

export const takeNextConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/take-next',
  summary: 'Assumir próxima: a conversa que espera há mais tempo na fila',
  reply: z.object({ conversation }),
})

export const transferConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/transfer',
  summary: 'Transferir a outro operador',
  params: conversationParams,
  body: z.object({
    newOperatorId: id,
    /** Shown to the team only. */
    note: z.optional(z.string().check(z.maxLength(2000))),
    holderId,
    version: z.optional(z.int()),
  }),
  reply: z.object({ conversation }),
})

export const finalizeConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/finalize',
  summary: 'Finalizar o atendimento',
  params: conversationParams,
  body: z.object({
    notes: z.optional(z.string().check(z.maxLength(10_000))),
    holderId,
    version: z.optional(z.int()),
  }),
  reply: z.object({ conversation }),
})

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id',
  summary: 'Excluir a conversa com todas as mensagens; arquivadas, só administradores',
  params: conversationParams,
  rows: ['DELETE /api/conversations/{open}', 'DELETE /api/conversations/{archived}'],
})

export const toggleAutoClose = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/toggle-auto-close',
  summary: 'Ligar ou desligar o fechamento automático',
  params: conversationParams,
  body: z.object({ disableAutoClose: z.boolean() }),
  reply: z.object({ conversation }),
})

export const setPriority = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/priority',
  summary: 'Mudar a prioridade',
  params: conversationParams,
  body: z.object({ priority: z.enum(priorities) }),
  reply: z.object({ conversation }),
})

export const viewConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/view',
  summary: 'Registrar que a conversa foi aberta; só administradores veem quem abriu',
  params: conversationParams,
  body: z.object({ action: z.enum(['enter', 'leave']) }),
})
