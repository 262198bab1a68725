import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

/** A choice below a message of the company. */
export function OfferButton({
  isDisabled,
  onPress,
  children,
}: {
  isDisabled: boolean
  onPress: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={onPress}
      className={cn(
        'mt-1.5 flex min-h-8 w-full items-center justify-center gap-1.5 rounded-[6px] border',
        'border-line-strong px-2 text-center font-medium text-accent-text not-disabled:hover:bg-ink/5',
        'disabled:cursor-default disabled:text-ink-3',
      )}
    >
      {children}
    </button>
  )
}
