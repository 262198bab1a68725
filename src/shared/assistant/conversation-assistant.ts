import * as z from 'zod/mini'
import { told } from '#shared/contacts/client-phone.ts'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { idParam, instant } from '#shared/users/users.ts'

/** The most characters of an answer, and of a suggestion. */
export const maxAnswerLength = 4096
/** The lines of a summary, and the characters of each. */
export const summaryLines = { most: 5, longest: 240 } as const

const conversationParams = z.object({ id: idParam })

/**
 * 'answers': as soon as the client writes; 'off': somebody switched it off here; 'stopped': it failed or
 * asked for a person, and may be switched on again; 'ended': a person has written; 'none': no agent is on.
 */
const assistantStates = ['none', 'answers', 'off', 'stopped', 'ended'] as const

const conversationAssistant = z.object({
  agent: z.enum(assistantStates),
  agentName: z.string(),
  canSummarize: z.boolean(),
  canSuggest: z.boolean(),
})
export type ConversationAssistant = z.infer<typeof conversationAssistant>

export const getConversationAssistant = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/assistant',
  summary: 'O que a IA faz nesta conversa',
  act: 'reply',
  audit: reading,
  ids: { id: 'conversation' },
  params: conversationParams,
  reply: conversationAssistant,
})

export const switchAssistant = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/assistant',
  summary: 'Ligar ou desligar o agente nesta conversa',
  act: 'reply',
  audit: 'conversation.assistant',
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({ isOff: z.boolean() }),
  reply: conversationAssistant,
})

/** Made for the person who asks, and stored nowhere. */
const conversationSummary = z.object({
  lines: z.array(told),
  /** How many messages it was made of, and when the first was sent. */
  messageCount: z.int(),
  since: z.nullable(instant),
  /** How many the conversation had then: what came later is not in it. */
  messagesSoFar: z.int(),
  madeAt: instant,
})
export type ConversationSummary = z.infer<typeof conversationSummary>

export const summarizeConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/assistant/summary',
  summary: 'Resumir a conversa em cinco linhas; só para quem pede',
  act: 'reply',
  audit: 'conversation.summarize',
  ids: { id: 'conversation' },
  params: conversationParams,
  reply: conversationSummary,
})

export const suggestReply = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/assistant/suggestion',
  summary: 'Sugerir uma resposta, que ninguém envia sem ler',
  act: 'reply',
  audit: 'conversation.suggest',
  ids: { id: 'conversation' },
  params: conversationParams,
  reply: z.object({ text: told }),
})
