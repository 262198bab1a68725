import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, TriangleAlert, X } from 'lucide-react'
import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Notice } from '#shared/notices/notices.ts'
import { useLiveStatus } from '#web/platform/live/live.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Banner } from '#web/ui/states/banner.tsx'
import { inOrder, isUrgent, noticeText } from './notice-texts.ts'
import { noticeQueries, useDismiss } from './queries.ts'

/**
 * What is wrong with the installation: one line, or one bar for several. While the server is away, the line
 * that says so takes its place.
 */
export function NoticesBar() {
  const { data } = useQuery(noticeQueries.list())
  const link = useLiveStatus()
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const notices = inOrder(data ?? [])
  const [first] = notices
  if (!first || link === 'reconnecting' || link === 'failed') return null
  const areSeveral = notices.length > 1
  return (
    <>
      {areSeveral && (
        <Summary
          notices={notices}
          first={first}
          isOpen={isOpen}
          listId={listId}
          onToggle={() => setIsOpen(!isOpen)}
        />
      )}
      <ul id={listId} aria-label="Avisos" hidden={areSeveral && !isOpen} className="shrink-0">
        {notices.map((notice) => (
          <li key={notice.id}>
            <Banner tone={toneOf(notice)} {...(!areSeveral && { icon: sign })}>
              <NoticeLine notice={notice} />
            </Banner>
          </li>
        ))}
      </ul>
    </>
  )
}

const toneOf = (notice: Notice) => (isUrgent(notice) ? 'red' : 'amber')
const sign = <TriangleAlert size={12} aria-hidden className="shrink-0" />

function Summary({
  notices,
  first,
  isOpen,
  listId,
  onToggle,
}: {
  notices: readonly Notice[]
  first: Notice
  isOpen: boolean
  listId: string
  onToggle: () => void
}) {
  const nowMs = useNow(60_000)
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <Banner tone={toneOf(first)} icon={sign}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={onToggle}
        className="flex min-h-6 min-w-0 items-center gap-1.5"
      >
        <b className="shrink-0 font-semibold tabular-nums">{notices.length} avisos</b>
        {!isOpen && <span className="truncate">· {noticeText(first, nowMs).what}</span>}
        <Chevron size={16} aria-hidden className="shrink-0" />
      </button>
    </Banner>
  )
}

function NoticeLine({ notice }: { notice: Notice }) {
  const { what, remedy, place } = noticeText(notice, useNow(60_000))
  const { mutate } = useDismiss()
  const button = useRef<HTMLButtonElement>(null)
  useKeptFocus(button)
  return (
    <>
      <p className="min-w-0 wrap-anywhere">
        {what} {remedy}
        {place && (
          <>
            {' '}
            <Link href={place.path} className="inline-flex min-h-6 items-center underline underline-offset-2">
              {place.label}
            </Link>
          </>
        )}
      </p>
      <button
        ref={button}
        type="button"
        data-dismiss
        title="Dispensar por um dia"
        aria-label={`Dispensar por um dia: ${what}`}
        onClick={() => mutate(notice.id)}
        className="grid size-6 flex-none place-items-center rounded-tag hover:bg-hover"
      >
        <X size={12} aria-hidden />
      </button>
    </>
  )
}

/** When the focused button goes with its notice, the next one has the focus, or else the screen. */
function useKeptFocus(button: RefObject<HTMLButtonElement | null>): void {
  // Unlike that of an ordinary effect, its end comes before the button is removed.
  useLayoutEffect(() => {
    const own = button.current
    return () => {
      if (document.activeElement !== own) return
      const others = [...document.querySelectorAll<HTMLElement>('[data-dismiss]')]
      const next = others.find((other) => other !== own) ?? document.getElementById('conteudo')
      next?.focus()
    }
  }, [button])
}
