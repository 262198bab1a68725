import { ArrowDown } from 'lucide-react'
import { Button } from '#web/ui/buttons/button.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { DayPill } from './day-pill.tsx'

/**
 * Floats above the messages: the current day, the loading state of older pages, and the button to the end.
 */
export function TimelineOverlay({
  dayAt,
  older,
  onRetryOlder,
  isAtEnd,
  hasNews,
  onToEnd,
}: {
  /** The day being read, once its own pill has been scrolled away. */
  dayAt: string | undefined
  older: 'loading' | 'failed' | 'quiet'
  onRetryOlder: () => void
  isAtEnd: boolean
  hasNews: boolean
  onToEnd: () => void
}) {
  return (
    <>
      {dayAt !== undefined && (
        <div aria-hidden className="pointer-events-none absolute inset-x-0 top-2 flex justify-center">
          <DayPill at={dayAt} />
        </div>
      )}
      {older !== 'quiet' && <Older isFailed={older === 'failed'} onRetry={onRetryOlder} />}
      {!isAtEnd && <ToEnd hasNews={hasNews} onClick={onToEnd} />}
    </>
  )
}

function Older({ isFailed, onRetry }: { isFailed: boolean; onRetry: () => void }) {
  return (
    <div
      role={isFailed ? 'alert' : 'status'}
      className={[
        'absolute inset-x-0 top-9 mx-auto flex w-fit items-center gap-2',
        'rounded-full bg-surface py-1 pr-1.5 pl-3 text-xs text-ink-2 shadow-float',
      ].join(' ')}
    >
      {isFailed ? (
        <>
          Erro ao carregar mensagens anteriores
          <Button size="sm" onClick={onRetry}>
            Tentar novamente
          </Button>
        </>
      ) : (
        <>
          Carregando mensagens anteriores…
          <Spinner />
        </>
      )}
    </div>
  )
}

function ToEnd({ hasNews, onClick }: { hasNews: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-label={hasNews ? undefined : 'Ir para o fim'}
      title={hasNews ? undefined : 'Ir para o fim'}
      className={[
        'absolute right-5 bottom-4 inline-flex h-[30px] items-center gap-1.5',
        'rounded-full bg-surface px-2.5 text-xs font-medium shadow-float hover:bg-hover',
      ].join(' ')}
    >
      {hasNews && 'Novas mensagens'}
      <ArrowDown aria-hidden size={14} />
    </button>
  )
}
