import { ChevronDown } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { onDemand } from '#web/ui/on-demand.tsx'

const ChooserList = onDemand(async () => (await import('./chooser-list.tsx')).ChooserList)

/**
 * A choice of one among few or thousands, with an action that creates a new one: a button that opens a list,
 * which can be searched if it is long. The list is loaded on demand.
 */
export function Chooser({
  shown,
  onOpen,
  className,
  ...list
}: Omit<ComponentProps<typeof ChooserList>, 'place' | 'onClose'> & {
  /** The text of the button. */
  shown: string
  onOpen: () => void
  className?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`${list.label}: ${shown}`}
        title={shown}
        onClick={() => {
          if (!isOpen) onOpen()
          setOpen(!isOpen)
        }}
        className={cn(
          'inline-flex h-6 min-w-0 items-center gap-1 rounded-[6px]',
          'px-1 hover:bg-hover aria-expanded:bg-hover',
          className,
        )}
      >
        <span className="min-w-0 truncate" dir="auto">
          {shown}
        </span>
        <ChevronDown size={12} aria-hidden className="flex-none" />
      </button>
      {isOpen && <ChooserList {...list} place={button} onClose={() => setOpen(false)} />}
    </>
  )
}
