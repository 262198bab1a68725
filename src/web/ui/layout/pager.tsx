import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'
import { pageNumbers } from './page-numbers.ts'

/**
 * Nothing with one page; otherwise 'Página X de Y', the ends, the neighbours and up to five numbers, three on
 * small screens.
 */
export function Pager({
  page,
  totalPages,
  onPage,
  text = `Página ${page} de ${totalPages}`,
  isWorded = false,
  beside,
  className,
}: {
  /** 1-based. */
  page: number
  totalPages: number
  onPage: (page: number) => void
  /** Instead of 'Página X de Y'. */
  text?: string
  /** Shows 'Primeira', 'Anterior', 'Próxima' and 'Última' where there is room. */
  isWorded?: boolean
  /** In a narrow pane: what stands at the end of the line above the numbers. */
  beside?: ReactNode
  className?: string
}) {
  if (totalPages <= 1) return null
  // What fits on a small screen beside the others, at the size of a finger.
  const near = pageNumbers(page, totalPages, 3)
  const step = (label: string, icon: LucideIcon, target: number, word: string) => (
    <Step
      label={label}
      word={isWorded ? word : undefined}
      icon={icon}
      isOff={target < 1 || target > totalPages || target === page}
      onPress={() => onPage(target)}
    />
  )
  return (
    <nav
      aria-label="Paginação"
      className={cn(
        'flex flex-1 flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-ink-2 tabular-nums',
        className,
      )}
    >
      <p
        aria-live="polite"
        className={cn('whitespace-nowrap', beside ? 'flex-1' : 'max-md:w-full max-md:text-center')}
      >
        {text}
      </p>
      {beside}
      <div className={cn('flex items-center gap-0.5', beside ? 'mx-auto' : 'max-md:mx-auto md:ml-auto')}>
        {step('Primeira página', ChevronsLeft, 1, 'Primeira')}
        {step('Página anterior', ChevronLeft, page - 1, 'Anterior')}
        {pageNumbers(page, totalPages).map((number) => (
          <button
            key={number}
            type="button"
            aria-label={`Página ${number}`}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => onPage(number)}
            className={cn(
              'h-[30px] min-w-[30px] rounded-control px-2 font-medium',
              'max-md:h-11 max-md:min-w-11 max-md:px-0',
              !near.includes(number) && 'max-md:hidden',
              number === page
                ? 'bg-selected font-semibold text-accent-text'
                : 'hover:bg-hover hover:text-ink',
            )}
          >
            {number}
          </button>
        ))}
        {step('Próxima página', ChevronRight, page + 1, 'Próxima')}
        {step('Última página', ChevronsRight, totalPages, 'Última')}
      </div>
    </nav>
  )
}

function Step(props: {
  label: string
  word: string | undefined
  icon: LucideIcon
  isOff: boolean
  onPress: () => void
}) {
  const { label, word, icon: Icon, isOff, onPress } = props
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onPress}
      className={cn(
        'inline-flex h-[30px] min-w-[30px] items-center justify-center gap-1 rounded-control font-medium',
        'max-md:h-11 max-md:min-w-11',
        word !== undefined && 'md:px-2',
        'not-disabled:hover:bg-hover not-disabled:hover:text-ink disabled:text-line-strong',
      )}
    >
      <Icon size={16} aria-hidden />
      {word !== undefined && <span className="max-md:hidden">{word}</span>}
    </button>
  )
}
