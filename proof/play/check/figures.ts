import { type DayMs, dayLengthMs, minuteMs, wallTime } from '../plan/day.ts'
import type { Observed } from './observed.ts'
import { dayTexts } from '../plan/texts.ts'

/** The figures of a day. */
export interface Figures {
  /** The longest FILA of each half hour. */
  queue: { at: DayMs; longest: number; online: number }[]
  /** From the FILA to the first reply, in milliseconds, ascending. */
  waits: number[]
  /** How many of each text, and how many replies, phones received. */
  texts: [string, number][]
  ends: Record<string, number>
}

const halfHourMs = 30 * minuteMs

export function figuresOf({ samples, conversations, messages, got, acts }: Observed): Figures {
  const ofQueue = Map.groupBy(
    samples.filter(({ at }) => at < dayLengthMs),
    ({ at }) => Math.floor(at / halfHourMs) * halfHourMs,
  )
  const firstReplies = new Map<number, DayMs>()
  for (const { by, conversationId, sortAt } of messages)
    if (by === 'operator' && !firstReplies.has(conversationId)) firstReplies.set(conversationId, sortAt)
  const texts = dayTexts.map((key): [string, number] => [
    key,
    got.filter(({ text }) => text.startsWith(`[${key}]`)).length,
  ])
  const automatic = texts.reduce((sum, [, count]) => sum + count, 0)
  const isOpen = (one: Observed['conversations'][number]) => one.status !== 'completed'
  const stages = (stage: string) => conversations.filter((one) => one.preAttendanceStage === stage).length
  const closed = new Set(
    messages.filter(({ act }) => act === 'closed_by_inactivity').map(({ conversationId }) => conversationId),
  )
  return {
    queue: [...ofQueue].map(([at, own]) => ({
      at,
      longest: Math.max(...own.map(({ queue }) => queue)),
      online: Math.max(...own.map(({ online }) => online)),
    })),
    waits: conversations
      .flatMap(({ id, startedAt }) => {
        const repliedAt = firstReplies.get(id)
        return repliedAt === undefined ? [] : [Math.max(0, repliedAt - startedAt)]
      })
      .toSorted((a, b) => a - b),
    texts: [...texts, ['replies', got.length - automatic]],
    ends: {
      served: firstReplies.size,
      finalized: acts.filter(({ kind }) => kind === 'finalize').length,
      'closed for inactivity': closed.size,
      rated: conversations.filter(({ satisfaction }) => satisfaction !== null).length,
      'in the queue': conversations.filter((one) => isOpen(one) && one.subStatus === 'FILA').length,
      'with an operator': conversations.filter((one) => isOpen(one) && one.subStatus === 'OPERADOR').length,
      'without a choice': stages('waiting_option'),
      cancelled: stages('cancelled'),
    },
  }
}

/** A quantile of ascending values. */
export const quantile = (ordered: readonly number[], share: number): number =>
  ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? 0

const inMinutes = (ms: number) => `${(ms / minuteMs).toFixed(1)} min`

export function formatFigures({ queue, waits, texts, ends }: Figures): string[] {
  return [
    'queue (the longest of each half hour; operators available):',
    ...queue.map(
      ({ at, longest, online }) =>
        `  ${wallTime(at).slice(0, 5)} ${String(longest).padStart(4)}  ` +
        `${String(online).padStart(2)}  ${'▪'.repeat(longest)}`,
    ),
    `wait until the first reply: p50 ${inMinutes(quantile(waits, 0.5))}, ` +
      `p90 ${inMinutes(quantile(waits, 0.9))}, longest ${inMinutes(waits.at(-1) ?? 0)}`,
    'texts on phones:',
    ...texts.map(([name, count]) => `  ${String(count).padStart(5)} ${name}`),
    `conversations: ${Object.entries(ends)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
  ]
}
