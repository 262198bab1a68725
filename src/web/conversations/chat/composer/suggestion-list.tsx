import type { ReactNode } from 'react'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import type { useListbox } from '#web/ui/fields/use-listbox.ts'

/** What could take the place of the shortcut being typed, above the composer. The focus stays in the text. */
export function SuggestionList({
  title,
  hint,
  listbox,
  children,
}: {
  title: string
  /** What can be typed. */
  hint?: string
  listbox: ReturnType<typeof useListbox>
  /** The options. */
  children: ReactNode
}) {
  return (
    <div
      className={[
        'animate-pop absolute bottom-full left-2 z-20 mb-2 w-[min(400px,calc(100%-16px))]',
        'overflow-hidden rounded-card bg-surface shadow-float md:left-3',
      ].join(' ')}
    >
      <p className="flex items-center justify-between gap-2 px-3 pt-2 pb-1 text-xs text-ink-3">
        <span>
          {title}
          {hint && ` ${hint}`}
        </span>
        <span aria-hidden className="max-md:hidden">
          <KeyCap>↑</KeyCap> <KeyCap>↓</KeyCap> escolhe <KeyCap>Enter</KeyCap> usa
        </span>
      </p>
      <div {...listbox.list} tabIndex={-1} aria-label={title} className="max-h-60 overflow-y-auto p-1">
        {children}
      </div>
    </div>
  )
}

/** @param isMarked whether Enter would use it */
export function suggestionLook(isMarked: boolean): string {
  return `flex md:min-h-8 cursor-pointer items-center gap-3 rounded-[7px] px-2 text-sm hover:bg-hover ${
    isMarked ? 'bg-selected' : ''
  }`
}
