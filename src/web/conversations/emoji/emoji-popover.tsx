import { type ComponentProps, lazy, Suspense } from 'react'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

const EmojiPicker = lazy(async () => ({ default: (await import('./emoji-picker.tsx')).EmojiPicker }))

/** The emoji picker in a popover, loaded on first use. */
export function EmojiPopover({
  onChoose,
  ...place
}: {
  onChoose: (emoji: string) => void
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
} & Pick<ComponentProps<typeof Popover>, 'trigger' | 'anchor' | 'onClosed'>) {
  const choose = (emoji: string) => {
    place.onOpenChange(false)
    onChoose(emoji)
  }
  return (
    <Popover label="Emojis" {...place}>
      <div className="h-[352px] w-[300px] max-w-full">
        <Suspense fallback={<Skeleton className="size-full" />}>
          <EmojiPicker onChoose={choose} />
        </Suspense>
      </div>
    </Popover>
  )
}
