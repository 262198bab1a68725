import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Moon } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { useState } from 'react'
import { Link } from 'wouter'
import { notificationTabs, type NotificationTab } from '#shared/notifications/kinds.ts'
import { readNotifications, type Unread } from '#shared/notifications/notifications.ts'
import { call } from '#web/platform/api/api.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { CountBadge } from '#web/ui/badges/count-badge.tsx'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { PopoverContent } from '#web/ui/overlays/popover-content.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { notificationKeys } from './live.ts'
import { NotificationList } from './notification-list.tsx'

const title = 'Menções e avisos'
const labels: Record<NotificationTab, string> = { mentions: 'Menções', updates: 'Avisos' }

/** What the person was told of, beside the bell; on a telephone a sheet. */
export function NotificationPanel({
  place,
  unread,
  silence,
  onClose,
}: {
  place: RefObject<HTMLElement | null>
  unread: Unread | undefined
  /** That it is quiet, in words. */
  silence: string | undefined
  onClose: () => void
}) {
  const isWide = useMediaQuery('(min-width: 48rem)')
  const content = (
    <>
      {silence !== undefined && <SilenceLine words={silence} onClose={onClose} />}
      <Content unread={unread} onClose={onClose} />
    </>
  )
  if (!isWide)
    return (
      <Dialog isOpen title={title} onClose={onClose}>
        {content}
      </Dialog>
    )
  return (
    <PopoverContent
      place={place}
      isToggle
      label={title}
      align="end"
      className="flex max-h-[min(560px,var(--radix-popover-content-available-height))] w-[400px] flex-col"
      onClose={onClose}
    >
      <p className="px-4 pt-3 text-lg font-semibold tracking-title">{title}</p>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 pb-2">{content}</div>
    </PopoverContent>
  )
}

/** Why nothing is heard, and where that is changed. */
function SilenceLine({ words, onClose }: { words: string; onClose: () => void }) {
  return (
    <p className="flex items-center gap-2 py-1.5 text-sm text-ink-2">
      <Moon aria-hidden size={14} className="shrink-0" />
      {words}
      <Link href="/perfil" onClick={onClose} className="ml-auto font-medium text-accent-text hover:underline">
        Mudar
      </Link>
    </p>
  )
}

function Content({ unread, onClose }: { unread: Unread | undefined; onClose: () => void }) {
  // What is there to be read is shown first.
  const [tab, setTab] = useState<NotificationTab>(() =>
    unread && unread.mentions === 0 && unread.updates > 0 ? 'updates' : 'mentions',
  )
  const readAll = useReadAll(tab)
  const tabs = notificationTabs.map((value) => ({
    value,
    label: (
      <>
        {labels[value]} {unread && <CountBadge count={unread[value]} label={`${unread[value]} por ler`} />}
      </>
    ),
  }))
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for keys of the tabs
    <div className="flex grow flex-col" onKeyDown={enterList}>
      <Tabs
        label={title}
        tabs={tabs}
        value={tab}
        onChange={(next) => setTab(next === 'updates' ? 'updates' : 'mentions')}
      >
        <NotificationList key={tab} tab={tab} onClose={onClose}>
          <div className="sticky bottom-0 -mx-4 mt-auto flex items-center md:min-h-10 bg-surface px-4 pt-1.5">
            <span aria-hidden className="text-xs text-ink-3 max-md:hidden pointer-coarse:hidden">
              <KeyCap>↑</KeyCap> <KeyCap>↓</KeyCap> escolhe, <KeyCap>Enter</KeyCap> abre
            </span>
            {unread !== undefined && unread[tab] > 0 && (
              <Button
                variant="ghost"
                size="sm"
                className="ml-auto"
                isBusy={readAll.isPending}
                busyLabel="Marcando..."
                onClick={() => readAll.mutate()}
              >
                Marcar todas como lidas
              </Button>
            )}
          </div>
        </NotificationList>
      </Tabs>
    </div>
  )
}

/** From the tabs the arrow goes to the first entry, whose own arrows go on. */
function enterList(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' || !(event.target as Element).matches('[role=tab]')) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLElement>('[data-entry]')?.focus()
}

function useReadAll(tab: NotificationTab) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(readNotifications, { body: { tab } }),
    onError: ({ message }) =>
      toast({ tone: 'error', title: 'Não foi possível marcar como lidas', description: message }),
    onSettled: () => client.invalidateQueries({ queryKey: notificationKeys.all }),
  })
}
