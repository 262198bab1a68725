import { ChevronDown, Shuffle } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import type { TeamStats } from '#shared/reports/team-stats.ts'
import { unknownContact } from '#shared/text/text.ts'
import { meanTimeText, outsideHours, outsideHoursText } from '#shared/text/time/mean-time.ts'
import type { Operator } from '#shared/users/users.ts'
import { clockTime, dayKey } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Waiting, warmMinutes } from '#web/ui/states/waiting.tsx'
import { PresenceMark, RunningPause, useCan } from '#web/users/users.tsx'
import { minutesSince } from '#web/conversations/rows/minutes-since.ts'
import { ListedConversations } from './listed-conversations.tsx'
import type { Member } from './team.ts'

/** All that are assigned, or those whose client waits for an answer. */
export type ListedOf = 'open' | 'waiting'

/**
 * Minutes from which on a wait is compared with the queue. Below, the client has just written: while the
 * queue is empty everybody who waits at all would be marked. The mark thus comes with the amber of the time.
 */
const comparedFrom = warmMinutes
const numberLook = 'px-2 text-right text-sm tabular-nums'

export const openText = (count: number) => (count === 1 ? '1 aberta' : `${count} abertas`)

/** A person of the team; expanded, with the conversations. */
export function TeamRow({
  member,
  nowMs,
  isWide,
  reply,
  listed,
  onList,
  onDistribute,
}: {
  member: Member
  nowMs: number
  /** With columns for the numbers, which are otherwise below the name. */
  isWide: boolean
  /** The first replies of today; null: none yet, undefined: the reader may not know. */
  reply: TeamStats[number] | null | undefined
  /** Which of the conversations are listed below. */
  listed: ListedOf | undefined
  /** Lists some of the conversations, or none. */
  onList: (what: ListedOf | undefined) => void
  /** Absent for whoever may not transfer. */
  onDistribute: (() => void) | undefined
}) {
  const { operator, conversations, waiting, isFull } = member
  const listId = useId()
  const count = conversations.length
  const isExpanded = listed !== undefined && count > 0
  const hasReply = reply !== undefined
  return (
    <>
      <tr className={`border-t border-line ${isWide ? 'h-[52px]' : 'h-[68px]'}`}>
        <th scope="row" className="px-2 pl-4 text-left font-normal max-md:max-w-0">
          <span className="flex min-w-0 items-center gap-2.5">
            <Avatar name={operator.name} src={operator.pictureUrl} />
            <span className="min-w-0">
              <span className="block truncate text-sm font-medium" title={operator.name} dir="auto">
                {operator.name}
              </span>
              <span className="block text-xs text-ink-2">
                <PresenceMark of={operator} isFull={isFull} />
                <span className="pl-1.5">
                  {operator.pause ? (
                    <RunningPause pause={operator.pause} />
                  ) : isFull ? (
                    `no limite, ${waiting} de ${operator.capacity}`
                  ) : (
                    isWide && <Since of={operator} nowMs={nowMs} />
                  )}
                </span>
              </span>
              {!isWide && (
                <span className="block truncate text-xs text-ink-2">
                  {`${openText(count)}, ${waiting} esperando`}
                </span>
              )}
            </span>
          </span>
        </th>
        {isWide && (
          <>
            <td className={numberLook}>
              <Count value={count} what={`Abertas de ${operator.name}`} onOpen={() => onList('open')} />
            </td>
            <td className={numberLook}>
              <Count value={waiting} what={`Esperando ${operator.name}`} onOpen={() => onList('waiting')} />
            </td>
          </>
        )}
        <td className="px-2 text-right text-sm whitespace-nowrap">
          <LongestWait member={member} nowMs={nowMs} isWide={isWide} />
        </td>
        {isWide && hasReply && (
          <td className={numberLook}>
            <FirstReply reply={reply} name={operator.name} />
          </td>
        )}
        <td className="pr-2 text-right whitespace-nowrap">
          {isWide && waiting > 0 && onDistribute && (
            <IconButton
              size="sm"
              icon={Shuffle}
              label={`Distribuir as que esperam ${operator.name}`}
              onClick={onDistribute}
            />
          )}
          {count > 0 && (
            <IconButton
              size="sm"
              icon={ChevronDown}
              label={`Conversas de ${operator.name}`}
              aria-expanded={isExpanded}
              aria-controls={isExpanded ? listId : undefined}
              onClick={() => onList(isExpanded ? undefined : 'open')}
              className={isExpanded ? 'rotate-180' : ''}
            />
          )}
        </td>
      </tr>
      {isExpanded && (
        <tr>
          <td colSpan={isWide ? (hasReply ? 6 : 5) : 3} className="border-t border-line bg-sunken">
            <ListedConversations
              key={listed}
              id={listId}
              label={`Conversas de ${operator.name}`}
              conversations={conversations.filter((row) => listed === 'open' || row.waitingSince !== null)}
              nowMs={nowMs}
            />
          </td>
        </tr>
      )}
    </>
  )
}

/** Since when somebody is as they are; of those who were not there today nothing. */
function Since({ of: { presence, since }, nowMs }: { of: Operator; nowMs: number }) {
  if (since === null || presence === 'paused' || dayKey(since) !== dayKey(nowMs)) return null
  const text =
    presence === 'idle'
      ? // Idleness begins when it has lasted that long.
        `sem mexer há ${minutesSince(since, nowMs) + idleAfterMinutes} min`
      : presence === 'offline'
        ? `saiu às ${clockTime(since)}`
        : `desde ${clockTime(since)}`
  return <span className="tabular-nums">{text}</span>
}

const idleAfterMinutes = 15

/** A number that lists its conversations below. */
function Count({ value, what, onOpen }: { value: number; what: string; onOpen: () => void }) {
  if (value === 0) return 0
  return (
    <button
      type="button"
      aria-label={`${what}: ${value}`}
      onClick={onOpen}
      className="rounded-[3px] underline decoration-line-strong underline-offset-3 hover:decoration-ink"
    >
      {value}
    </button>
  )
}

/** The mean first reply of today, in hours of work; leads to its conversations. */
function FirstReply({ reply, name }: { reply: TeamStats[number] | null; name: string }) {
  const mayOpen = useCan('viewReports')
  if (!reply) return <span className="text-ink-3">–</span>
  const { openMs, clockMs, replied, outside } = reply
  const isOutside = openMs === null
  const text = isOutside ? <span className="text-xs text-ink-3">{outsideHours}</span> : meanTimeText(openMs)
  if (!mayOpen) return text
  const meaning = isOutside
    ? `${outside} ${outsideHoursText(clockMs)}`
    : `${meanTimeText(openMs)}, média de ${replied - outside}`
  return (
    <Link
      href={`/reports?figure=first_reply&by=operator&key=${reply.userId}`}
      aria-label={`Primeira resposta de ${name} hoje: ${meaning}`}
      title={isOutside ? meaning : undefined}
      className="rounded-[3px] underline decoration-line-strong underline-offset-3 hover:decoration-ink"
    >
      {text}
    </Link>
  )
}

/** How long the client who waits longest has been waiting; leads to their chat. */
function LongestWait({ member, nowMs, isWide }: { member: Member; nowMs: number; isWide: boolean }) {
  const [first] = member.conversations
  if (!first || member.waitingSince === null) return <span className="text-ink-3">–</span>
  const minutes = minutesSince(member.waitingSince, nowMs)
  const name = first.contact.name || unknownContact
  return (
    <Link
      href={`/chat?conversation=${first.id}`}
      className={[
        'target -mx-1 flex flex-col items-end justify-center rounded-control px-1 py-0.5',
        'hover:bg-hover focus-visible:-outline-offset-2',
      ].join(' ')}
    >
      <span className="flex max-w-full min-w-0 items-center gap-2">
        <span className={isWide ? 'min-w-0 truncate' : 'sr-only'} title={name} dir="auto">
          {name}
        </span>
        <Waiting minutes={minutes} />
      </span>
      {member.isBehindQueue && minutes >= comparedFrom && (
        <span className="text-xs text-amber-text">mais que a fila</span>
      )}
    </Link>
  )
}
