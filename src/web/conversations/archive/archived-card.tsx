import { Check, Flag, type LucideIcon, NotebookText, Phone, Timer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ArchivedRow } from '#shared/conversations/archive.ts'
import { handlingTime } from '#shared/text/time/handling-time.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import { categoryLabel, hiddenNumber, subStatusLabels, unknownContact } from '#shared/text/text.ts'
import { ConversationBadges } from '#web/conversations/rows/conversation-badges.tsx'
import { LastMessageLine } from '#web/conversations/rows/last-message-line.tsx'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { CategoryDot } from '#web/ui/badges/category-dot.tsx'
import { Stars } from '#web/ui/badges/stars.tsx'
import { cn } from '#web/ui/cn.ts'
import { NumberTag } from '#web/numbers/numbers.tsx'
import { useReasons } from '#web/reasons/reasons.tsx'
import { useTagParts } from '#web/conversations/rows/use-tag-parts.ts'
import { SectorBadge } from '#web/sectors/sectors.tsx'
import { useMe } from '#web/users/users.tsx'
import { addressOf } from './addresses.ts'
import { Excerpts } from './excerpts.tsx'
import { useNumberName } from './use-number-name.ts'

/** All of the card leads to the conversation. */
const linkLook = [
  'min-w-0 truncate text-base font-semibold',
  'after:absolute after:inset-0 after:rounded-card',
].join(' ')
const lineLook = 'flex min-h-5 min-w-0 items-center gap-[5px] text-xs text-ink-3 tabular-nums'

/** On a phone a card has two lines; what else it says is still read out, and stands in the conversation. */
const wideOnly = 'max-md:sr-only'

/** One conversation of the archive, with the messages in which something was found. */
export function ArchivedCard({ row, search, nowMs }: { row: ArchivedRow; search: string; nowMs: number }) {
  const { hasSectors } = useMe()
  const reasons = useReasons()
  const tags = useTagParts()
  const number = useNumberName(row.instanceId)
  const { contact, lastMessage, notes, satisfaction, messageCount, completedAt } = row
  const name = contact.name || unknownContact
  return (
    <article
      className={[
        'relative grid grid-cols-[36px_minmax(0,1fr)_auto] gap-x-2.5 gap-y-1 rounded-card border border-line',
        'bg-surface px-3 py-2.5 hover:border-line-strong md:grid-cols-[40px_minmax(0,1fr)_300px_170px]',
        'md:gap-x-3.5 md:px-3.5 max-lg:md:grid-cols-[40px_minmax(0,1fr)_220px]',
      ].join(' ')}
    >
      <Avatar
        name={name}
        src={contact.avatarUrl}
        size={40}
        className="max-md:row-span-2 max-md:size-9 max-md:text-sm"
      />
      <div className="grid min-w-0 content-start gap-0.5 max-md:contents">
        <span className="flex min-w-0 items-baseline gap-1.5 max-md:col-start-2 max-md:row-start-1">
          {/* The badge, which names the category, is not seen there. */}
          <span aria-hidden className="flex flex-none self-center md:hidden">
            <CategoryDot color={contact.categoryColor} label={categoryLabel(contact.category)} />
          </span>
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
        <span
          className={cn(
            'flex min-w-0 items-baseline gap-1.5 text-sm text-ink-2 max-md:col-start-2 max-md:row-start-2',
            satisfaction === null && 'max-md:col-span-2',
          )}
        >
          <span className="flex min-w-0">
            <LastMessageLine message={lastMessage} />
          </span>
          {lastMessage && (
            <time dateTime={lastMessage.sentAt} className="flex-none text-xs text-ink-3 max-md:sr-only">
              {relativeTime(Date.parse(lastMessage.sentAt), nowMs)}
            </time>
          )}
        </span>
        {notes && (
          <Line icon={NotebookText} isWideOnly>
            <span className="sr-only">Notas: </span>
            <span className="truncate" title={notes} dir="auto">
              {notes}
            </span>
          </Line>
        )}
        {reasons.areAny && (
          <Line icon={Flag} isWideOnly>
            <span className="sr-only">Motivo: </span>
            <span className="truncate" title={reasons.textOf(row)} dir="auto">
              {reasons.textOf(row)}
            </span>
          </Line>
        )}
      </div>
      <div className="grid min-w-0 content-start gap-0.5 max-md:sr-only md:col-start-3 md:max-lg:row-span-2">
        {/* Three lines at most, whatever they say. */}
        <span className="flex min-w-0 gap-1.5">
          <ConversationBadges conversation={row} parts={['category']} isTight />
          <Badge icon={Check}>Finalizada</Badge>
          <ConversationBadges conversation={row} parts={['priority']} />
          {tags && <tags.TagMark tagIds={row.tagIds} />}
        </span>
        <span className={lineLook}>
          <Badge tone="plain">{subStatusLabels[row.subStatus]}</Badge>
          <span className="truncate" title={row.assignedUser?.name} dir="auto">
            {row.assignedUser?.name ?? 'sem operador'}
          </span>
        </span>
        <Line icon={Phone}>
          <span className="flex-none">{contact.phone ? formatPhone(contact.phone) : hiddenNumber}</span>
          <NumberTag name={number} />
          {hasSectors && <SectorBadge sectorId={row.sectorId} className="min-w-8 shrink" />}
        </Line>
      </div>
      <div
        className={[
          'grid min-w-0 content-start gap-0.5 max-md:contents md:col-start-2',
          'lg:col-start-4 lg:justify-items-end',
          'md:max-lg:row-start-2 md:max-lg:flex md:max-lg:flex-wrap md:max-lg:gap-x-3',
        ].join(' ')}
      >
        <time
          dateTime={completedAt ?? undefined}
          className={cn(
            'min-h-5 text-sm tabular-nums max-md:col-start-3 max-md:row-start-1 max-md:self-center',
            'max-md:text-xs max-md:leading-5 max-md:text-ink-2',
          )}
        >
          {completedAt === null ? 'N/A' : dateTime(completedAt)}
        </time>
        <Line icon={Timer} isWideOnly>
          <span className="sr-only">Duração: </span>
          {handlingTime(row.startedAt, completedAt)}
          <span aria-hidden>·</span>
          {messageCount === 1 ? '1 mensagem' : `${messageCount} mensagens`}
        </Line>
        {satisfaction === null ? (
          <span className={cn(lineLook, wideOnly)}>sem avaliação</span>
        ) : (
          <span className={cn(lineLook, 'max-md:col-start-3 max-md:row-start-2 max-md:justify-end')}>
            <Stars value={satisfaction} />
          </span>
        )}
      </div>
      <Excerpts row={row} search={search} />
    </article>
  )
}

function Line({
  icon: Icon,
  isWideOnly = false,
  children,
}: {
  icon: LucideIcon
  isWideOnly?: boolean
  children: ReactNode
}) {
  return (
    <span className={cn(lineLook, isWideOnly && wideOnly)}>
      <Icon aria-hidden size={14} className="flex-none" />
      {children}
    </span>
  )
}
