import { type DayMs, dayLengthMs, minuteMs, wallTime } from './day.ts'
import type { Observed } from './observed.ts'
import { dayTexts } from './texts.ts'

/** What a day came to, in numbers. */
export interface Figures {
  /** The longest FILA of each half hour. */
  queue: { at: DayMs; longest: number; online: number }[]
  /** From the FILA to the first reply, in milliseconds, the shortest first. */
  waits: number[]
  /** How many of each text came up on phones, and how many replies. */
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
    texts: [...texts, ['respostas', got.length - automatic]],
    ends: {
      atendidas: firstReplies.size,
      finalizadas: acts.filter(({ kind }) => kind === 'finalize').length,
      'encerradas por silêncio': closed.size,
      avaliadas: conversations.filter(({ satisfaction }) => satisfaction !== null).length,
      'na fila': conversations.filter((one) => isOpen(one) && one.subStatus === 'FILA').length,
      'com operador': conversations.filter((one) => isOpen(one) && one.subStatus === 'OPERADOR').length,
      'sem escolha': stages('waiting_option'),
      desistências: stages('cancelled'),
    },
  }
}

/** Of values in order, the one that a share of them does not exceed. */
export const quantile = (ordered: readonly number[], share: number): number =>
  ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? 0

const inMinutes = (ms: number) => `${(ms / minuteMs).toFixed(1)} min`

export function linesOf({ queue, waits, texts, ends }: Figures): string[] {
  return [
    'fila (a maior de cada meia hora; operadores disponíveis):',
    ...queue.map(
      ({ at, longest, online }) =>
        `  ${wallTime(at).slice(0, 5)} ${String(longest).padStart(4)}  ${String(online).padStart(2)}  ${'▪'.repeat(longest)}`,
    ),
    `espera até a primeira resposta: p50 ${inMinutes(quantile(waits, 0.5))}, p90 ${inMinutes(quantile(waits, 0.9))}, ` +
      `máxima ${inMinutes(waits.at(-1) ?? 0)}`,
    'textos nos celulares:',
    ...texts.map(([name, count]) => `  ${String(count).padStart(5)} ${name}`),
    `conversas: ${Object.entries(ends)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
  ]
}
