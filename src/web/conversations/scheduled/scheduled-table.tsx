import { Link } from 'wouter'
import type { ScheduledMessage } from '#shared/scheduled/scheduled.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cut } from '#web/ui/cut.ts'
import { SectorBadge } from '#web/sectors/sectors.tsx'
import { useMe } from '#web/users/users.tsx'
import { Condition, When } from './condition.tsx'
import { ScheduledActs } from './scheduled-acts.tsx'

const head = 'px-3 py-2 text-left text-xs font-medium text-ink-2'
const cell = 'px-3 py-2 align-middle max-lg:block max-lg:px-0 max-lg:py-0.5'

/** Scheduled messages; on a phone a card for each. */
export function ScheduledTable({
  label,
  messages,
}: {
  label: string
  messages: readonly ScheduledMessage[]
}) {
  const { hasSectors } = useMe()
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface">
      <table aria-label={label} className="w-full border-collapse text-sm max-lg:block">
        <thead className="border-b border-line bg-sunken max-lg:sr-only">
          <tr>
            {['Quando', 'Para', 'Mensagem', ...(hasSectors ? ['Setor'] : []), 'Autor', 'Condição'].map(
              (name) => (
                <th key={name} scope="col" className={head}>
                  {name}
                </th>
              ),
            )}
            <th scope="col" className={head}>
              <span className="sr-only">Ações</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {messages.map((message) => (
            <ScheduledRow key={message.id} message={message} hasSectors={hasSectors} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ScheduledRow({ message, hasSectors }: { message: ScheduledMessage; hasSectors: boolean }) {
  const { contact, author, content, conversationId, sector } = message
  return (
    <tr className="border-t border-line first:border-t-0 max-lg:relative max-lg:block max-lg:p-3">
      <td className={cell}>
        <When message={message} />
      </td>
      <td className={cell}>
        <span className="flex min-w-0 items-center gap-2">
          <Avatar name={contact.name} src={contact.avatarUrl} size={28} />
          <Link
            href={addressOf(message, conversationId)}
            className="max-w-44 truncate font-medium hover:underline max-lg:max-w-none max-lg:leading-[44px]"
            title={contact.name}
            dir="auto"
          >
            {contact.name}
          </Link>
        </span>
      </td>
      <td className={cell}>
        <span className="line-clamp-2 max-w-72 break-words text-ink-2 max-lg:max-w-none" dir="auto">
          {content === '' ? 'Texto apagado' : cut(content, 200)}
        </span>
      </td>
      {hasSectors && (
        <td className={cell}>
          <SectorBadge sectorId={sector?.id ?? null} />
        </td>
      )}
      <td className={cell}>
        <span className="flex items-center gap-1.5" title={author.name}>
          <Avatar name={author.name} src={author.pictureUrl} size={24} />
          <span className="sr-only max-lg:not-sr-only">{author.name}</span>
        </span>
      </td>
      <td className={cell}>
        <Condition message={message} />
      </td>
      <td className={`${cell} max-lg:absolute max-lg:top-2 max-lg:right-2`}>
        <ScheduledActs message={message} />
      </td>
    </tr>
  )
}

/** The chat in which it was sent, else that in which it was written. */
function addressOf({ isCompleted, message }: ScheduledMessage, conversationId: number): string {
  if (message) return `/chat?conversation=${message.conversationId}&mensagem=${message.id}`
  return isCompleted ? `/conversas-arquivadas/${conversationId}` : `/chat?conversation=${conversationId}`
}
