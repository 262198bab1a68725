import { inactivityMinutes } from '#shared/settings/settings.ts'
import { type DayMs, minuteMs, secondMs, type Stretch, wallTime } from '../plan/day.ts'
import type { ConversationRow, MessageRow, Observed } from './observed.ts'
import { inactivityEveryMs } from '../players/scheduler.ts'

const silentMs = inactivityMinutes * minuteMs
/** An outage is noticed by a check once a minute. */
const noticedWithinMs = minuteMs + inactivityEveryMs
/** A shorter downtime does not count as an absence of the product. @see awayAfterMs */
const awayAfterMs = 2 * minuteMs
/** A message still on its way from a phone is not known to the product. */
const onTheWayMs = 3 * secondMs
/** The gateway's times are whole seconds, and the product's clock advances while it works. */
const slackMs = 2 * secondMs

/** When auto-close must not act: in a noticed outage, and for half an hour afterwards. */
function guards({ outage, restart }: Observed['plan']): Stretch[] {
  const isAbsence = restart.toMs - restart.fromMs > awayAfterMs
  return [
    { fromMs: outage.fromMs + noticedWithinMs, toMs: outage.toMs + silentMs - inactivityEveryMs },
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

const isWritten = ({ by, isRating }: MessageRow) => !isRating && (by === 'client' || by === 'operator')
const closesForInactivity = ({ act }: MessageRow) => act === 'closed_by_inactivity'

/** Conversations closed for inactivity during an outage, though the client waited or had just written. */
export function closedForInactivity(day: Observed): string[] {
  return talksOf(day).flatMap(({ conversation, timeline }) => {
    const at = timeline.find(closesForInactivity)?.createdAt
    if (at === undefined) return []
    const fault = (what: string) => [`conversation ${conversation.id} at ${wallTime(at)}: ${what}`]
    if (guards(day.plan).some(({ fromMs, toMs }) => at >= fromMs && at < toMs))
      return fault('during an outage or right after one')
    const before = timeline.filter((one) => isWritten(one) && one.sortAt <= at)
    const last = before.at(-1)
    if (last?.by !== 'operator') return fault('the client was waiting for us')
    if (at - last.sortAt < silentMs - slackMs)
      return fault(`silent for ${Math.round((at - last.sortAt) / secondMs)} s`)
    const spoke = day.written.find((one) => one.phone === conversation.phone && spokeBefore(one, at))
    return spoke ? fault(`wrote «${spoke.text}» at ${wallTime(spoke.at)}`) : []
  })
}

/** Whether the phone's record has a message of the last half hour that was not still on its way. */
function spokeBefore({ at: writtenAt, arrivedAt }: Observed['written'][number], at: DayMs): boolean {
  const isWithin = writtenAt > at - silentMs + slackMs && writtenAt <= at
  const wasOnTheWay = arrivedAt !== undefined && arrivedAt > at && arrivedAt - writtenAt < onTheWayMs
  return isWithin && !wasOnTheWay
}

/** Completed conversations that were not ended exactly once with one goodbye, or that have later messages. */
export function closedWithoutReason(day: Observed): string[] {
  const finalized = Map.groupBy(
    day.acts.filter(({ kind }) => kind === 'finalize'),
    (act) => act.conversationId,
  )
  return talksOf(day).flatMap(({ conversation, timeline }) => {
    const { id, status, preAttendanceStage, completedAt } = conversation
    const byPerson = finalized.get(id)?.length ?? 0
    const byInactivity = timeline.filter(closesForInactivity).length
    const isKept = preAttendanceStage === 'waiting_option' || preAttendanceStage === 'cancelled'
    const fault = (what: string) => [`conversation ${id}: ${what}`]
    if (isKept || status !== 'completed')
      return byPerson + byInactivity > 0 ? fault('closed, and not shown as closed') : []
    if (byPerson + byInactivity !== 1)
      return fault(`closed ${byPerson} times by people, ${byInactivity} for inactivity`)
    const goodbye = timeline.filter(
      ({ key }) => key === (byPerson ? 'finalizationMessage' : 'inactivityMessage'),
    )
    if (goodbye.length !== 1) return fault(`${goodbye.length} goodbyes`)
    const late = timeline.find((one) => isWritten(one) && one.createdAt > (completedAt ?? 0) + slackMs)
    return late ? fault(`«${late.content}» after the end`) : []
  })
}

/** Silent conversations that auto-close left open after half an hour, or after the end of an outage. */
export function forgottenOpen(day: Observed): string[] {
  return talksOf(day).flatMap(({ conversation, timeline }) => {
    const closedAt = timeline.find(closesForInactivity)?.createdAt
    const { status, waitingFor } = conversation
    const isOpen = status !== 'completed' && waitingFor === 'client'
    if (closedAt === undefined && !isOpen) return []
    const at = closedAt ?? day.endedAt
    const last = timeline.filter((one) => isWritten(one) && one.sortAt <= at).at(-1)
    const dueAt = dueFrom((last?.sortAt ?? conversation.startedAt) + silentMs, day.plan)
    return at - dueAt > noticedWithinMs + 2 * inactivityEveryMs
      ? [
          `conversation ${conversation.id}: silent until ${wallTime(dueAt)}, ` +
            (closedAt === undefined ? 'still open' : `closed at ${wallTime(at)}`),
        ]
      : []
  })
}

/** The first time from then on at which auto-close may act. */
function dueFrom(at: DayMs, { outage, restart }: Observed['plan']): DayMs {
  // Even during a short downtime nothing is closed.
  const isAbsence = restart.toMs - restart.fromMs > awayAfterMs
  const [first, second] = [
    { fromMs: outage.fromMs, toMs: outage.toMs + silentMs },
    { fromMs: restart.fromMs, toMs: restart.toMs + (isAbsence ? silentMs : 0) },
  ].toSorted((a, b) => a.fromMs - b.fromMs) as [Stretch, Stretch]
  let due = at
  // The job may not run any more between the due time and the outage.
  for (const { fromMs, toMs } of [first, second])
    if (due > fromMs - inactivityEveryMs && due < toMs) due = toMs
  return due
}
