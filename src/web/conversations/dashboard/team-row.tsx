import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { unknownContact } from '#shared/text/text.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Waiting, warmMinutes } from '#web/ui/states/waiting.tsx'
import { PresenceMark } from '#web/users/users.tsx'
import { minutesSince } from '#web/conversations/rows/minutes-since.ts'
import { RecentRow } from './recent-row.tsx'
import type { Member } from './team.ts'

const listedAtOnce = 10
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
  isExpanded,
  onToggle,
}: {
  member: Member
  nowMs: number
  /** With columns for the numbers, which are otherwise below the name. */
  isWide: boolean
  isExpanded: boolean
  onToggle: () => void
}) {
  const { operator, conversations, waiting } = member
  const listId = useId()
  const count = conversations.length
  return (
    <>
      <tr className="h-[68px] border-t border-line md:h-[52px]">
        <th scope="row" className="px-2 pl-4 text-left font-normal">
          <span className="flex min-w-0 items-center gap-2.5">
            <Avatar name={operator.name} src={operator.pictureUrl} />
            <span className="min-w-0">
              <span className="block truncate text-sm font-medium" title={operator.name} dir="auto">
                {operator.name}
              </span>
              <span className="block text-xs text-ink-2">
                <PresenceMark state={operator.presence} />
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
            <td className={numberLook}>{count}</td>
            <td className={numberLook}>{waiting}</td>
          </>
        )}
        <td className="px-2 text-right text-sm">
          <LongestWait member={member} nowMs={nowMs} isWide={isWide} />
        </td>
        <td className="pr-2 text-right">
          {count > 0 && (
            <IconButton
              size="sm"
              icon={ChevronDown}
              label={`Conversas de ${operator.name}`}
              aria-expanded={isExpanded}
              aria-controls={isExpanded ? listId : undefined}
              onClick={onToggle}
              className={isExpanded ? 'rotate-180' : ''}
            />
          )}
        </td>
      </tr>
      {isExpanded && count > 0 && (
        <tr>
          <td colSpan={isWide ? 5 : 3} className="border-t border-line bg-sunken">
            <Conversations id={listId} member={member} nowMs={nowMs} />
          </td>
        </tr>
      )}
    </>
  )
}

/** How long the client who waits longest has been waiting; leads to his chat. */
function LongestWait({ member, nowMs, isWide }: { member: Member; nowMs: number; isWide: boolean }) {
  const [first] = member.conversations
  if (!first || member.waitingSince === null) return <span className="text-ink-3">–</span>
  const minutes = minutesSince(member.waitingSince, nowMs)
  const name = first.contact.name || unknownContact
  return (
    <Link
      href={`/chat?conversation=${first.id}`}
      className={[
        '-mx-1 flex flex-col items-end rounded-control px-1 py-0.5',
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

function Conversations({ id, member, nowMs }: { id: string; member: Member; nowMs: number }) {
  const [listed, setListed] = useState(listedAtOnce)
  const { conversations, operator } = member
  const left = conversations.length - listed
  return (
    <>
      <ul id={id} aria-label={`Conversas de ${operator.name}`}>
        {conversations.slice(0, listed).map((row) => (
          <li key={row.id} className="border-line not-first:border-t">
            <RecentRow conversation={row} nowMs={nowMs} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p className="border-t border-line px-2 py-1">
          <Button variant="link" size="sm" onClick={() => setListed(listed + listedAtOnce)}>
            {`Mostrar mais (${left})`}
          </Button>
        </p>
      )}
    </>
  )
}
