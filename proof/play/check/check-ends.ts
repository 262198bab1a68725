import { inactivityMinutes } from '#shared/settings.ts'
import { type DayMs, minuteMs, secondMs, type Stretch, wallTime } from '../plan/day.ts'
import type { ConversationRow, MessageRow, Observed } from './observed.ts'
import { silenceEveryMs } from '../players/scheduler.ts'

const silentMs = inactivityMinutes * minuteMs
/** An outage is noticed by a check once a minute. */
const noticedWithinMs = minuteMs + silenceEveryMs
/** Shorter than this nobody takes for an absence of ours. @see awayAfterMs */
const awayAfterMs = 2 * minuteMs
/** What is on its way from a phone cannot be known. */
const onTheWayMs = 3 * secondMs
/** The gateway's seconds have no fraction, and ours go on while we work. */
const slackMs = 2 * secondMs

/**
 * When nobody may be closed for silence: in an outage from when it is noticed, and for half an hour after.
 */
function guards({ outage, restart }: Observed['plan']): Stretch[] {
  const isAbsence = restart.toMs - restart.fromMs > awayAfterMs
  return [
    { fromMs: outage.fromMs + noticedWithinMs, toMs: outage.toMs + silentMs - silenceEveryMs },
    ...(isAbsence ? [{ fromMs: restart.fromMs, toMs: restart.toMs + silentMs - slackMs }] : []),
  ]
}

interface Talk {
  conversation: ConversationRow
  timeline: MessageRow[]
}

const talksOf = ({ conversations, messages }: Observed): Talk[] => {
  const timelines = Map.groupBy(messages, (one) => one.conversationId)
  return conversations.map((conversation) => ({
    conversation,
    timeline: timelines.get(conversation.id) ?? [],
  }))
}

const isSaid = ({ by, isRating }: MessageRow) => !isRating && (by === 'client' || by === 'operator')
const closesForSilence = ({ act }: MessageRow) => act === 'closed_by_inactivity'

/**
 * Whoever was closed for silence had said nothing for half an hour, owed us an answer, and could have given
 * it.
 */
export function closedForSilence(day: Observed): string[] {
  return talksOf(day).flatMap(({ conversation, timeline }) => {
    const at = timeline.find(closesForSilence)?.createdAt
    if (at === undefined) return []
    const fault = (what: string) => [`conversation ${conversation.id} at ${wallTime(at)}: ${what}`]
    if (guards(day.plan).some(({ fromMs, toMs }) => at >= fromMs && at < toMs))
      return fault('during an outage or right after one')
    const before = timeline.filter((one) => isSaid(one) && one.sortAt <= at)
    const last = before.at(-1)
    if (last?.by !== 'operator') return fault('the client was waiting for us')
    if (at - last.sortAt < silentMs - slackMs)
      return fault(`silent for ${Math.round((at - last.sortAt) / secondMs)} s`)
    const spoke = day.written.find((one) => one.phone === conversation.phone && spokeBefore(one, at))
    return spoke ? fault(`wrote «${spoke.text}» at ${wallTime(spoke.at)}`) : []
  })
}

/** By the phone's record: written within the half hour, and not just at this moment. */
function spokeBefore({ at: writtenAt, arrivedAt }: Observed['written'][number], at: DayMs): boolean {
  const isWithin = writtenAt > at - silentMs + slackMs && writtenAt <= at
  const wasOnTheWay = arrivedAt !== undefined && arrivedAt > at && arrivedAt - writtenAt < onTheWayMs
  return isWithin && !wasOnTheWay
}

/**
 * What is completed was ended once, by a person or for silence, says so, and nothing was attached afterwards.
 */
export function closedWithoutReason(day: Observed): string[] {
  const finalized = Map.groupBy(
    day.acts.filter(({ kind }) => kind === 'finalize'),
    (act) => act.conversationId,
  )
  return talksOf(day).flatMap(({ conversation, timeline }) => {
    const { id, status, preAttendanceStage, completedAt } = conversation
    const byPerson = finalized.get(id)?.length ?? 0
    const bySilence = timeline.filter(closesForSilence).length
    const isKept = preAttendanceStage === 'waiting_option' || preAttendanceStage === 'cancelled'
    const fault = (what: string) => [`conversation ${id}: ${what}`]
    if (isKept || status !== 'completed')
      return byPerson + bySilence > 0 ? fault('closed, and not shown as closed') : []
    if (byPerson + bySilence !== 1) return fault(`closed by ${byPerson} people and ${bySilence} silences`)
    const goodbye = timeline.filter(
      ({ key }) => key === (byPerson ? 'finalizationMessage' : 'inactivityMessage'),
    )
    if (goodbye.length !== 1) return fault(`${goodbye.length} despedidas`)
    const late = timeline.find((one) => isSaid(one) && one.createdAt > (completedAt ?? 0) + slackMs)
    return late ? fault(`«${late.content}» after the end`) : []
  })
}

/** A silence ends a conversation when half an hour is over, or as soon as no outage speaks against it. */
export function forgottenOpen(day: Observed): string[] {
  return talksOf(day).flatMap(({ conversation, timeline }) => {
    const closedAt = timeline.find(closesForSilence)?.createdAt
    const isOpen = conversation.status !== 'completed' && conversation.waitingFor === 'client'
    if (closedAt === undefined && !isOpen) return []
    const at = closedAt ?? day.endedAt
    const last = timeline.filter((one) => isSaid(one) && one.sortAt <= at).at(-1)
    const dueAt = dueFrom((last?.sortAt ?? conversation.startedAt) + silentMs, day.plan)
    return at - dueAt > noticedWithinMs + 2 * silenceEveryMs
      ? [
          `conversation ${conversation.id}: silent until ${wallTime(dueAt)}, ` +
            (closedAt === undefined ? 'still open' : `closed at ${wallTime(at)}`),
        ]
      : []
  })
}

/** The first moment from then on at which nothing speaks against it. */
function dueFrom(at: DayMs, { outage, restart }: Observed['plan']): DayMs {
  // Even a short absence of ours ends nothing while it lasts.
  const isAbsence = restart.toMs - restart.fromMs > awayAfterMs
  const [first, second] = [
    { fromMs: outage.fromMs, toMs: outage.toMs + silentMs },
    { fromMs: restart.fromMs, toMs: restart.toMs + (isAbsence ? silentMs : 0) },
  ].toSorted((a, b) => a.fromMs - b.fromMs) as [Stretch, Stretch]
  let due = at
  // What falls due just before is looked at by no round before it begins.
  for (const { fromMs, toMs } of [first, second]) if (due > fromMs - silenceEveryMs && due < toMs) due = toMs
  return due
}
