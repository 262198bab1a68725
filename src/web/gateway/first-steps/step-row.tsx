import { Check, Hourglass } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'

/** A step that is done can be looked at again: whether it is, and the button for that. */
export function useReview(isDone: boolean) {
  const [isReviewing, setIsReviewing] = useState(false)
  const action = isDone && (
    <Button variant="ghost" aria-expanded={isReviewing} onClick={() => setIsReviewing(!isReviewing)}>
      {isReviewing ? 'Fechar' : 'Rever'}
    </Button>
  )
  return { isReviewing, action, close: () => setIsReviewing(false) }
}

/** One step: done, skipped, the one to do now (which is open), or one of later. */
export function StepRow({
  number,
  title,
  note,
  isDone,
  isNext,
  action,
  children,
}: {
  number: number
  title: string
  note: ReactNode
  isDone: boolean
  isNext: boolean
  /** At the right. */
  action?: ReactNode
  /** What is to be done. */
  children?: ReactNode
}) {
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={[
        'border-line px-4 py-3.5 not-first:border-t',
        isNext ? 'shadow-[inset_3px_0_0_var(--color-accent)]' : '',
      ].join(' ')}
    >
      <div className="grid grid-cols-[24px_minmax(0,1fr)_auto] items-center gap-x-3.5">
        <span
          className={cn(
            'grid size-6 place-items-center rounded-full text-xs font-semibold',
            isDone
              ? 'bg-green-soft text-green-text'
              : isNext
                ? 'bg-accent text-accent-ink'
                : 'bg-sunken text-ink-2',
          )}
        >
          {isDone ? (
            <>
              <Check size={14} aria-hidden />
              <span className="sr-only">Pronto:</span>
            </>
          ) : (
            number
          )}
        </span>
        <div className="min-w-0">
          <h2 className={cn('text-base', isDone || isNext ? 'font-semibold' : 'font-medium text-ink-2')}>
            {title}
          </h2>
          {note && <p className="text-sm wrap-anywhere text-ink-2">{note}</p>}
        </div>
        {action ??
          (isNext && (
            <Badge tone="amber" icon={Hourglass}>
              Falta este
            </Badge>
          ))}
      </div>
      {children && (
        <div className="mt-3.5 grid grid-cols-[minmax(0,1fr)] gap-3.5 md:pl-[38px]">{children}</div>
      )}
    </li>
  )
}
