import { type DayMs, hourMs, minuteMs, secondMs } from '../plan/day.ts'
import type { ConversationRow, MessageRow, Observed } from './observed.ts'
import type { DayText } from '../plan/texts.ts'

const maria = '5511970000001'
export const joao = '5511970000002'
const protocolOf = (id: number) => `2027030900000${id}`
/** Ten in the morning. */
export const ten = 2 * hourMs

/** A completed conversation. */
const conversation = (id: number, phone: string, more: Partial<ConversationRow>): ConversationRow => ({
  id,
  phone,
  protocol: protocolOf(id),
  status: 'completed',
  subStatus: 'OPERADOR',
  waitingFor: 'client',
  assignedUserId: 1,
  preAttendanceStage: null,
  startedAt: ten,
  completedAt: ten + hourMs,
  isQueued: false,
  satisfaction: null,
  ...more,
})

/** Builds a day step by step. */
function createDay() {
  const day: Observed = {
    plan: {
      outage: { fromMs: 5 * hourMs, toMs: 5.6 * hourMs },
      restart: { fromMs: 8 * hourMs, toMs: 8.1 * hourMs },
      warningMinutes: 5,
    },
    endedAt: 11 * hourMs,
    written: [],
    got: [],
    acts: [],
    positions: [],
    samples: [],
    conversations: [],
    messages: [],
  }
  const phoneOf = (id: number) => day.conversations.find((one) => one.id === id)?.phone ?? ''
  const line = (
    conversationId: number,
    by: MessageRow['by'],
    at: DayMs,
    content: string,
    more: Partial<MessageRow>,
  ) =>
    day.messages.push({
      id: day.messages.length + 1,
      conversationId,
      by,
      key: null,
      act: null,
      content,
      waId: null,
      sortAt: at,
      createdAt: at,
      isRecovered: false,
      isRating: false,
      ...more,
    })
  return {
    day,
    writes(id: number, at: DayMs, text: string, { lateMs = 1500, isRating = false } = {}) {
      const [phone, waId, arrivedAt] = [phoneOf(id), `dia-${day.written.length + 1}`, at + lateMs]
      day.written.push({ phone, waId, at, text, arrivedAt })
      const isRecovered = lateMs > 2 * minuteMs
      const sortAt = isRecovered ? at : arrivedAt
      line(id, 'client', arrivedAt, text, { waId, isRating, isRecovered, sortAt })
    },
    gets(id: number, at: DayMs, key: DayText, position?: number) {
      const text = `[${key}] ${protocolOf(id)}${position === undefined ? '' : ` ${position}`}`
      line(id, 'product', at, text, { key })
      day.got.push({ phone: phoneOf(id), at, text })
      if (position !== undefined)
        day.positions.push({ conversationId: id, at, position, truePosition: position })
    },
    replies(id: number, at: DayMs, text: string) {
      line(id, 'operator', at, text, {})
      day.got.push({ phone: phoneOf(id), at, text })
      day.acts.push({ kind: 'reply', at, conversationId: id })
    },
    event: (id: number, at: DayMs, act: string) => line(id, 'event', at, '', { act }),
  }
}

/**
 * Maria chooses, waits, is answered and rates. João is answered, falls silent, and writes again after hours.
 */
export function goodDay(): Observed {
  const { day, writes, gets, replies, event } = createDay()
  day.conversations.push(
    conversation(1, maria, { preAttendanceStage: 'attended', satisfaction: 5 }),
    conversation(2, joao, { completedAt: ten + 41 * minuteMs }),
    conversation(3, joao, {
      status: 'waiting',
      subStatus: 'FILA',
      waitingFor: 'operator',
      assignedUserId: null,
      completedAt: null,
      isQueued: true,
    }),
  )
  writes(1, ten, 'oi')
  gets(1, ten + 1500, 'preAttendanceMessage')
  writes(1, ten + 20 * secondMs, '1')
  gets(1, ten + 22 * secondMs, 'queueMessage', 2)
  gets(1, ten + 2 * minuteMs, 'queuePositionUpdateMessage', 1)
  day.acts.push({ kind: 'take', at: ten + 3 * minuteMs, conversationId: 1, longestWaitingId: 1 })
  replies(1, ten + 4 * minuteMs, 'bom dia')
  day.acts.push({ kind: 'transfer', at: ten + 6 * minuteMs, conversationId: 1 })
  gets(1, ten + 6 * minuteMs, 'transferMessage')
  writes(2, ten + 5 * minuteMs, 'tem sacola?')
  replies(2, ten + 11 * minuteMs, 'temos')
  gets(2, ten + 36 * minuteMs, 'inactivityWarningMessage')
  gets(2, ten + 41 * minuteMs, 'inactivityMessage')
  event(2, ten + 41 * minuteMs, 'closed_by_inactivity')
  day.acts.push({ kind: 'finalize', at: ten + hourMs, conversationId: 1 })
  gets(1, ten + hourMs, 'finalizationMessage')
  gets(1, ten + hourMs, 'ratingMessage')
  event(1, ten + hourMs, 'finalized')
  writes(1, ten + hourMs + minuteMs, '5', { isRating: true })
  writes(3, 5.1 * hourMs, 'e de papel?', { lateMs: 0.6 * hourMs })
  return day
}
