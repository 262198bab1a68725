import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ChatMessage, PhoneView } from '#simulator/control-views.ts'
import { dayTitle } from '#simulator/page/dates.ts'
import { simulatorQueries } from '#simulator/page/data/queries.ts'
import { cn } from '#web/ui/cn.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { Bubble } from './bubble.tsx'
import { chatDays } from './chat-days.ts'
import type { MessageActions } from './message-actions.ts'

/**
 * A phone's chat, anchored at its end: new bubbles push old ones up, and a reader further up is not moved.
 */
export function ChatLog({
  phone,
  companyName,
  nowMs,
  actions,
}: {
  phone: PhoneView
  companyName: string
  nowMs: number
  actions: MessageActions
}) {
  const { data: chat, error, isFetching, refetch } = useQuery(simulatorQueries.chat(phone.id))
  const { ref, isAtEnd, onScroll } = useEnd(chat?.at(-1))
  return (
    <div
      ref={ref}
      onScroll={onScroll}
      role="log"
      aria-label={`Conversa de ${phone.name}`}
      aria-busy={chat === undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region needs the keyboard
      tabIndex={0}
      className={cn(
        'thin-scroll flex min-h-0 flex-1 flex-col-reverse overflow-x-hidden overflow-y-auto',
        'outline-offset-[-2px]',
        isAtEnd && '[overflow-anchor:none]',
      )}
    >
      {chat ? (
        <div className="px-2.5 pt-0.5 pb-2.5">
          {chatDays(chat).map(({ key, rows }) => (
            <div key={key} className="flex flex-col">
              <p
                className={cn(
                  'sticky top-2 z-1 mt-2.5 mb-1 inline-grid h-[22px] place-items-center self-center',
                  'rounded-full border border-line bg-surface px-2.5 text-xs font-medium text-ink-2',
                )}
              >
                {dayTitle(key, nowMs)}
              </p>
              {rows.map((row) => (
                <Bubble
                  key={row.message.id}
                  row={row}
                  phone={phone}
                  companyName={companyName}
                  actions={actions}
                />
              ))}
            </div>
          ))}
          {chat.length === 0 && (
            <p className="pb-2 text-center text-xs text-ink-3">Nenhuma mensagem ainda. Escreva a primeira.</p>
          )}
        </div>
      ) : error ? (
        <ErrorState
          description="A conversa não foi carregada."
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <span className="m-auto text-ink-3">
          <Spinner label="Carregando a conversa" />
        </span>
      )}
    </div>
  )
}

const endPx = 24

/**
 * Keeps a reader at the end there, which the browser's scroll anchoring to the focused element would prevent.
 * Further up nothing moves until something is written on the phone itself.
 */
function useEnd(last: ChatMessage | undefined) {
  const ref = useRef<HTMLDivElement>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const writtenId = last?.from === 'phone' ? last.id : undefined
  useLayoutEffect(() => {
    if (writtenId !== undefined && ref.current) ref.current.scrollTop = 0
  }, [writtenId])
  return {
    ref,
    isAtEnd,
    // With column-reverse the end is 0 and offsets above it are negative.
    onScroll: () => setIsAtEnd(Math.abs(ref.current?.scrollTop ?? 0) < endPx),
  }
}
