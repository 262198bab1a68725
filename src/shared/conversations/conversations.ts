import * as z from 'zod/mini'
import { contactCard } from '#shared/contacts/contacts.ts'
import { lastMessage } from '#shared/messages/messages.ts'
import { slaClockNames } from '#shared/sla/clocks.ts'
import { id, instant } from '#shared/users/users.ts'

export const conversationStatuses = ['waiting', 'active', 'completed'] as const
export const subStatuses = ['FILA', 'OPERADOR'] as const
export const waitingFors = ['operator', 'client'] as const
export const priorities = ['low', 'normal', 'high'] as const
export const initiators = ['contact', 'operator'] as const

/**
 * The states of pre-attendance. A conversation that waits for the choice, or was cancelled by it, is not
 * open.
 * @see decisions §3
 */
export const choiceStages = ['waiting_option', 'cancelled', 'attended'] as const

export const conversation = z.object({
  id,
  protocol: z.string(),
  contactId: id,
  /** The number that the client writes to. */
  instanceId: id,
  /** null: 'Sem setor'. */
  sectorId: z.nullable(id),
  /**
   * The queue that it waits in: that of its sector, as the negative of its id; else numbers with the same
   * people have one. Of what waits in none it says nothing.
   */
  queueId: z.int(),
  contact: contactCard,
  assignedUserId: z.nullable(id),
  assignedUser: z.nullable(z.object({ id, name: z.string() })),
  status: z.enum(conversationStatuses),
  subStatus: z.enum(subStatuses),
  waitingFor: z.enum(waitingFors),
  /** Since when the client has been waiting; null while the team waits for the client. */
  waitingSince: z.nullable(instant),
  priority: z.enum(priorities),
  initiatedBy: z.enum(initiators),
  disableAutoClose: z.boolean(),
  /** Until when it is on hold ('Em espera'); absent: it is not. */
  snoozedUntil: z.optional(instant),
  /** When it returned from hold, until its operator opens it. */
  returnedAt: z.optional(instant),
  /** The clock that runs out first, to its first reply or to its end; absent: none runs. */
  sla: z.optional(z.object({ clock: z.enum(slaClockNames), dueAt: instant, nearAt: instant })),
  /** Why it is on hold, or what it returned for. */
  snoozeReason: z.optional(z.string()),
  /** What was written when it was finalized. */
  notes: z.nullable(z.string()),
  /** Why it ended, if a person has said so. */
  finishReasonId: z.optional(id),
  /** The tags of the conversation, by id; absent: none. */
  tagIds: z.optional(z.array(id)),
  /** The client's rating, 1 to 5. */
  satisfaction: z.nullable(z.int()),
  /** The state or outcome of the choice before the queue; null when none was offered. */
  preAttendanceStage: z.nullable(z.enum(choiceStages)),
  startedAt: instant,
  completedAt: z.nullable(instant),
  lastActivityAt: instant,
  messageCount: z.int(),
  /** How many of them the contact sent; unread counts are derived from it. */
  contactMessageCount: z.int(),
  lastMessage: z.nullable(lastMessage),
  /** 1 for the conversation that has waited longest in its queue; 0 for one that is not in it. */
  queuePosition: z.int(),
  version: z.int(),
  /** Only who waits since when is shown: the messages are, to whoever takes it. */
  isCard: z.optional(z.boolean()),
})
export type Conversation = z.infer<typeof conversation>

const pagination = z.object({
  currentPage: z.int(),
  itemsPerPage: z.int(),
  totalItems: z.int(),
  totalPages: z.int(),
  hasNextPage: z.boolean(),
})

export const conversationPage = z.object({ conversations: z.array(conversation), pagination })
export type ConversationPage = z.infer<typeof conversationPage>

export const activePageSizes = [5, 10, 20, 30, 50] as const
