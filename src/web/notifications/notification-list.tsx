import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { AtSign, Bell, EyeOff, UserRound } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import type { NotificationTab } from '#shared/notifications/kinds.ts'
import {
  listNotifications,
  type Notification,
  readNotifications,
} from '#shared/notifications/notifications.ts'
import { mentionParts } from '#shared/notifications/mention-parts.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import { call } from '#web/platform/api/api.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { cut } from '#web/ui/cut.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useMe } from '#web/users/users.tsx'
import { addressOf } from './addresses.ts'
import { notificationKeys } from './live.ts'
import { outOfReach, wordingOf } from './wording.ts'

const mostShown = 200

/** The mentions or notices of the person, and `children` below any; the arrows move among them. */
export function NotificationList({
  tab,
  onClose,
  children,
}: {
  tab: NotificationTab
  onClose: () => void
  children?: ReactNode
}) {
  const { data, isPending, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: [...notificationKeys.all, 'list', tab],
      queryFn: ({ pageParam, signal }) =>
        call(listNotifications, { query: { tab, ...(pageParam !== '' && { before: pageParam }) }, signal }),
      initialPageParam: '',
      getNextPageParam: ({ next }) => next,
    })
  if (isPending) return <Loading />
  if (isError && !data) return <ErrorState isRetrying={isFetching} onRetry={() => void refetch()} />
  const all = data.pages.flatMap(({ notifications }) => notifications)
  // One that something else happened to has moved to the front, and may be in two pages.
  const shown = all.filter(({ id }, n) => all.findIndex((one) => one.id === id) === n)
  if (shown.length === 0) return <Empty tab={tab} />
  return (
    <>
      <ul className="-mx-2 grid">
        {shown.map((one) => (
          <li key={one.id}>
            <Entry notification={one} onClose={onClose} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button
          variant="ghost"
          size="sm"
          className="mx-auto my-1.5"
          isBusy={isFetchingNextPage}
          busyLabel="Carregando..."
          onClick={() => void fetchNextPage()}
        >
          Mostrar mais antigas
        </Button>
      )}
      {children}
    </>
  )
}

const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (step === undefined) return
  const list = event.currentTarget.closest('ul')
  const links = [...(list?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])]
  const at = links.indexOf(event.currentTarget)
  event.preventDefault()
  links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
}

const look =
  'grid grid-cols-[auto_1fr] gap-x-2.5 rounded-control px-2 py-2 text-left -outline-offset-2 outline-focus'

function Entry({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const { kind, about, isRead } = notification
  const markRead = useMarkRead(notification)
  const body = <Body notification={notification} />
  const tone = cn(look, !isRead && 'bg-selected')
  if (!about)
    return (
      <button
        type="button"
        data-entry
        className={cn(tone, 'w-full')}
        title={isRead ? undefined : 'Marcar como lida'}
        onKeyDown={moveByArrow}
        onClick={markRead}
      >
        {body}
      </button>
    )
  return (
    <Link
      href={addressOf(kind, about)}
      data-entry
      className={cn(tone, 'hover:bg-hover')}
      onKeyDown={moveByArrow}
      onClick={() => {
        markRead()
        onClose()
      }}
    >
      {body}
    </Link>
  )
}

function Body({ notification }: { notification: Notification }) {
  const { about, happenedAt, isRead } = notification
  const { name } = useMe()
  const nowMs = useNow(60_000)
  const wording = wordingOf(notification)
  const when = (
    <time dateTime={happenedAt} className="ml-auto flex-none pl-2 text-xs text-ink-3">
      {relativeTime(Date.parse(happenedAt), nowMs)}
    </time>
  )
  const unread = !isRead && (
    <span className="ml-1.5 size-2 flex-none self-center rounded-full bg-accent">
      <span className="sr-only">não lida</span>
    </span>
  )
  if (!about || !wording)
    return (
      <>
        <EyeOff aria-hidden size={16} className="mx-1.5 mt-0.5 text-ink-3" />
        <span className="flex min-w-0 text-sm text-ink-2">
          {outOfReach}
          {when}
          {unread}
        </span>
      </>
    )
  const { by, message } = about
  return (
    <>
      {by ? (
        <Avatar name={by.name} src={by.pictureUrl} size={28} />
      ) : (
        <span className="grid size-7 place-items-center rounded-full bg-line text-ink-2">
          <UserRound aria-hidden size={14} />
        </span>
      )}
      <span className="grid min-w-0 text-sm">
        <span className="flex min-w-0 items-baseline">
          <span className={cn('line-clamp-2 min-w-0', !isRead && 'font-semibold')} title={wording.title}>
            {wording.title}
          </span>
          {when}
          {unread}
        </span>
        <span className="truncate text-xs text-ink-3" title={wording.place}>
          {wording.place}
        </span>
        {wording.sentence !== '' && (
          <span dir="auto" className="line-clamp-2 text-ink-2 [overflow-wrap:anywhere]">
            {mentionParts(cut(wording.sentence, mostShown), message?.mentioned ?? []).map((part, n) =>
              part.isMention ? (
                // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
                <span
                  key={n}
                  className={cn('font-medium text-accent-text', part.text === `@${name}` && 'font-semibold')}
                >
                  {part.text}
                </span>
              ) : (
                part.text
              ),
            )}
          </span>
        )}
      </span>
    </>
  )
}

/** Opening one reads it; what could not be noted is read by opening the conversation. */
function useMarkRead({ id, isRead }: Notification): () => void {
  const client = useQueryClient()
  return () => {
    if (isRead) return
    void call(readNotifications, { body: { id }, keepalive: true }).then(
      () => client.invalidateQueries({ queryKey: notificationKeys.all }),
      () => undefined,
    )
  }
}

function Empty({ tab }: { tab: NotificationTab }) {
  const { name } = useMe()
  if (tab === 'mentions')
    return (
      <EmptyState
        icon={AtSign}
        title="Ninguém mencionou você ainda"
        description={`Quando um colega escrever @${name} numa nota interna, aparece aqui.`}
      />
    )
  return (
    <EmptyState
      icon={Bell}
      title="Nenhum aviso ainda"
      description="Aqui aparecem suas mensagens que não saíram e o que há nas conversas que você segue."
    />
  )
}

const placeholders = [1, 2, 3]

function Loading() {
  return (
    <div role="status" aria-label="Carregando" className="grid gap-3 py-3">
      {placeholders.map((n) => (
        <Skeleton key={n} className="h-12" />
      ))}
    </div>
  )
}
