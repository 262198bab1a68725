import { Check, type LucideIcon, NotebookText, Phone, Timer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ArchivedRow } from '#shared/conversations/archive.ts'
import { handlingTime } from '#shared/text/time/handling-time.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import { hiddenNumber, subStatusLabels, unknownContact } from '#shared/text/text.ts'
import { ConversationBadges } from '#web/conversations/rows/conversation-badges.tsx'
import { LastMessageLine } from '#web/conversations/rows/last-message-line.tsx'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Stars } from '#web/ui/badges/stars.tsx'
import { NumberTag } from '#web/numbers/numbers.tsx'
import { addressOf } from './addresses.ts'
import { Excerpts } from './excerpts.tsx'
import { useNumberName } from './use-number-name.ts'

/** All of the card leads to the conversation. */
const linkLook = [
  'min-w-0 truncate text-base font-semibold',
  'after:absolute after:inset-0 after:rounded-card',
].join(' ')
const lineLook = 'flex min-h-5 min-w-0 items-center gap-[5px] text-xs text-ink-3 tabular-nums'

/** One conversation of the archive, with the messages in which something was found. */
export function ArchivedCard({ row, search, nowMs }: { row: ArchivedRow; search: string; nowMs: number }) {
  const number = useNumberName(row.instanceId)
  const { contact, lastMessage, notes, satisfaction, messageCount, completedAt } = row
  const name = contact.name || unknownContact
  return (
    <article
      className={[
        'relative grid grid-cols-[36px_minmax(0,1fr)] gap-x-2.5 gap-y-1 rounded-card border border-line',
        'bg-surface px-3 py-2.5 hover:border-line-strong md:grid-cols-[40px_minmax(0,1fr)_300px_170px]',
        'md:gap-x-3.5 md:px-3.5 max-lg:md:grid-cols-[40px_minmax(0,1fr)_220px]',
      ].join(' ')}
    >
      <Avatar name={name} src={contact.avatarUrl} size={40} className="max-md:size-9 max-md:text-sm" />
      <div className="grid min-w-0 content-start gap-0.5">
        <span className="flex min-w-0 items-baseline gap-1.5">
          <Link href={addressOf(row.id, { search })} className={linkLook} title={name} dir="auto">
            {name}
          </Link>
          {contact.company && (
            <span
              className="min-w-0 flex-[0_1000_auto] truncate text-sm text-ink-2"
              title={contact.company.name}
              dir="auto"
            >
              {contact.company.name}
            </span>
          )}
        </span>
        <span className="flex min-w-0 items-baseline gap-1.5 text-sm text-ink-2">
          <span className="flex min-w-0">
            <LastMessageLine message={lastMessage} />
          </span>
          {lastMessage && (
            <time dateTime={lastMessage.sentAt} className="flex-none text-xs text-ink-3">
              {relativeTime(Date.parse(lastMessage.sentAt), nowMs)}
            </time>
          )}
        </span>
        {notes && (
          <Line icon={NotebookText}>
            <span className="sr-only">Notas: </span>
            <span className="truncate" title={notes} dir="auto">
              {notes}
            </span>
          </Line>
        )}
      </div>
      <div className="col-start-2 grid min-w-0 content-start gap-0.5 md:col-start-3 md:max-lg:row-span-2">
        <span className="flex min-w-0 flex-wrap gap-1.5">
          <ConversationBadges conversation={row} parts={['category']} />
          <Badge icon={Check}>Finalizada</Badge>
          <ConversationBadges conversation={row} parts={['priority']} />
        </span>
        <span className={lineLook}>
          <Badge tone="plain">{subStatusLabels[row.subStatus]}</Badge>
          <span className="truncate" title={row.assignedUser?.name} dir="auto">
            {row.assignedUser?.name ?? 'sem operador'}
          </span>
        </span>
        <Line icon={Phone}>
          {contact.phone ? formatPhone(contact.phone) : hiddenNumber}
          <NumberTag name={number} />
        </Line>
      </div>
      <div
        className={[
          'col-start-2 grid min-w-0 content-start gap-0.5 lg:col-start-4 lg:justify-items-end',
          'md:max-lg:row-start-2 md:max-lg:flex md:max-lg:flex-wrap md:max-lg:gap-x-3',
        ].join(' ')}
      >
        <time dateTime={completedAt ?? undefined} className="min-h-5 text-sm tabular-nums">
          {completedAt === null ? 'N/A' : dateTime(completedAt)}
        </time>
        <Line icon={Timer}>
          <span className="sr-only">Duração: </span>
          {handlingTime(row.startedAt, completedAt)}
          <span aria-hidden>·</span>
          {messageCount === 1 ? '1 mensagem' : `${messageCount} mensagens`}
        </Line>
        {satisfaction === null ? (
          <span className={lineLook}>sem avaliação</span>
        ) : (
          <span className={lineLook}>
            <Stars value={satisfaction} />
          </span>
        )}
      </div>
      <Excerpts row={row} search={search} />
    </article>
  )
}

function Line({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className={lineLook}>
      <Icon aria-hidden size={14} className="flex-none" />
      {children}
    </span>
  )
}
