import { type ComponentProps, createElement } from 'react'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

const useEmojiPicker = partInPlace(async () => (await import('./emoji-picker.tsx')).EmojiPicker)

/** The emoji picker in a popover, loaded on first use. */
export function EmojiPopover({
  onChoose,
  isForMany = false,
  ...place
}: {
  /** @param isMore whether it stays open for another one, and the focus in it */
  onChoose: (emoji: string, isMore: boolean) => void
  /** Whether several can be chosen, with Shift or by touch. */
  isForMany?: boolean
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
} & Pick<ComponentProps<typeof Popover>, 'trigger' | 'anchor' | 'onClosed'>) {
  const choose = (emoji: string, isMore: boolean) => {
    if (!isMore) place.onOpenChange(false)
    onChoose(emoji, isMore)
  }
  return (
    <Popover label="Emojis" {...place}>
      <div className="h-[352px] w-[300px] max-w-full">
        <Picker onChoose={choose} isForMany={isForMany} />
      </div>
    </Popover>
  )
}

/** Only what an open popover contains, so that a closed one loads nothing. */
function Picker(props: { onChoose: (emoji: string, isMore: boolean) => void; isForMany: boolean }) {
  const picker = useEmojiPicker()
  return picker ? createElement(picker, props) : <Skeleton className="size-full" />
}
