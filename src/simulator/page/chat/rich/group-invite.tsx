import { UsersRound } from 'lucide-react'
import type { RichOf } from '#simulator/control-api.ts'
import { MessageText } from '#simulator/page/chat/message-text.tsx'

/** A group invitation; phones of the simulator cannot join. */
export function GroupInvite({ invite: { groupName, caption } }: { invite: RichOf<'groupInvite'> }) {
  return (
    <div className="w-[190px] max-w-full">
      <span className="flex items-center gap-2.5 pb-0.5">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-ink/7 text-ink-2">
          <UsersRound size={20} aria-hidden />
        </span>
        <span className="min-w-0">
          <span dir="auto" title={groupName} className="block truncate font-medium">
            {groupName}
          </span>
          <span className="block text-xs text-ink-2">Convite para grupo</span>
        </span>
      </span>
      <MessageText text={caption ?? ''} />
    </div>
  )
}
