import type { ReactNode } from 'react'
import { Mark } from '#web/ui/badges/mark.tsx'
import { cn } from '#web/ui/cn.ts'

/** The product's name above the navigation. */
export function SideHead({ isFolded, foldButton }: { isFolded: boolean; foldButton?: ReactNode }) {
  return (
    <div
      className={cn(
        'flex h-(--height-bar) shrink-0 items-center gap-2.5 text-lg font-semibold tracking-title',
        isFolded ? 'justify-center' : 'pr-3 pl-4',
      )}
    >
      <Mark className="size-6 shrink-0" />
      {!isFolded && (
        <>
          <span>Balcão</span>
          <span className="ml-auto">{foldButton}</span>
        </>
      )}
    </div>
  )
}
