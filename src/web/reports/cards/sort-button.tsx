import { ArrowDown, ArrowUp } from 'lucide-react'
import { cn } from '#web/ui/cn.ts'
import { tooltip } from '#web/ui/overlays/tooltip.ts'

/** The heading of a column by which a table is sorted when it is pressed. */
export function SortButton({
  title,
  hint,
  sorted,
  onSort,
}: {
  title: string
  /** What the column has, where its title does not say it. */
  hint?: string | undefined
  /** How the table is sorted by it; undefined: it is sorted by another one. */
  sorted: 'ascending' | 'descending' | undefined
  onSort: () => void
}) {
  const Arrow = sorted === 'ascending' ? ArrowUp : ArrowDown
  return (
    <>
      <button
        type="button"
        {...(hint !== undefined && tooltip(hint))}
        onClick={onSort}
        className={cn('inline-flex items-center gap-1 hover:text-ink print:hidden', sorted && 'text-ink')}
      >
        {title}
        {sorted && <Arrow size={12} aria-hidden />}
      </button>
      {/* On the following pages browsers repeat the text of a heading, but no button in it. */}
      <span aria-hidden className="hidden print:inline">
        {title}
      </span>
    </>
  )
}
