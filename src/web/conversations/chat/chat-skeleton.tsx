import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { TimelineSkeleton } from '#web/conversations/chat/timeline/timeline-skeleton.tsx'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'

/** The chat's screen until its code is loaded: the list and a conversation. */
export function ChatSkeleton() {
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-1">
      <div className="hidden w-(--width-list) flex-none flex-col border-r border-line bg-surface panes:flex">
        <div className="grid h-[113px] flex-none content-start gap-3.5 border-b border-line px-3 pt-4">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-7 w-full" />
        </div>
        <PaneSkeleton />
      </div>
      <ConversationSkeleton />
    </div>
  )
}

/** A conversation until it is loaded. */
export function ConversationSkeleton() {
  return (
    <div className="flex min-w-0 flex-1 flex-col bg-thread">
      <HeaderSkeleton />
      <TimelineSkeleton />
    </div>
  )
}

function HeaderSkeleton() {
  return (
    <div className="h-[87px] flex-none border-b border-line bg-surface px-3 pt-2">
      <div className="flex items-center gap-2.5">
        <Skeleton className="size-9 rounded-full" />
        <Skeleton className="h-3 w-48" />
      </div>
      <Skeleton className="mt-3 h-3 w-72 max-w-full" />
    </div>
  )
}
