import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant } from '#shared/users/users.ts'
import { conversation } from './conversations.ts'

// 'Lembrar': an operator puts a conversation on hold until a time. It is then under 'Em espera' alone, and
// returns at that time, or as soon as the client writes.

/**
 * What ends a hold: its time, the client, who takes it up again, who transfers it or returns it to the queue,
 * the end of the conversation, and that it was merged with another one.
 */
export const snoozeEnds = ['time', 'client', 'person', 'transfer', 'completed', 'merged'] as const
export type SnoozeEnd = (typeof snoozeEnds)[number]

/** How far ahead a return may be, in days. */
export const maxSnoozeDays = 366

const params = z.object({ id: idParam })

export const snoozeConversation = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/snooze',
  summary: 'Lembrar: deixar a conversa em espera até um horário, ou mudar o horário e o motivo',
  act: 'snooze',
  audit: 'conversation.snooze',
  ids: { id: 'conversation' },
  params,
  body: z.object({
    until: instant,
    /** Shown to the team only. */
    reason: z.optional(z.string().check(z.maxLength(200))),
    holderId: z.optional(z.nullable(id)),
    version: z.optional(z.int()),
    /** The last message that the caller saw: what the client has written since would rest unread. */
    seenMessageId: z.optional(id),
  }),
  reply: z.object({ conversation }),
})

export const resumeConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id/snooze',
  summary: 'Retomar agora uma conversa em espera; outra fica como está',
  act: 'snooze',
  audit: 'conversation.resume',
  ids: { id: 'conversation' },
  params,
  reply: z.object({ conversation }),
})

/** The times that 'Lembrar' offers. */
export const snoozeTimeNames = ['half_hour', 'hour', 'tomorrow', 'monday'] as const

export const snoozeTimeLabels: Readonly<Record<(typeof snoozeTimeNames)[number], string>> = {
  half_hour: 'Em 30 min',
  hour: 'Em 1 h',
  tomorrow: 'Amanhã 09:00',
  monday: 'Segunda 09:00',
}

export const listSnoozeTimes = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/snooze-times',
  summary: 'Horários oferecidos para lembrar, pelo expediente da conversa',
  act: 'snooze',
  audit: reading,
  ids: { id: 'conversation' },
  params,
  reply: z.object({
    times: z.array(
      z.object({
        name: z.enum(snoozeTimeNames),
        at: instant,
        /** Nobody works at nine that day: `at` is when the next working hours begin. */
        isMoved: z.boolean(),
      }),
    ),
  }),
})
