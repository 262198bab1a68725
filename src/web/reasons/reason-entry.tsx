import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { AutomaticEnd } from '#shared/text/conversations/reason-texts.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan } from '#web/users/users.tsx'
import { useReasons } from './use-reasons.ts'

const ChangeReasonDialog = onDemand(
  async () => (await import('./change-reason-dialog.tsx')).ChangeReasonDialog,
)

/** Why a completed conversation ended, with a way to say it anew for those who may. */
export function ReasonEntry({
  conversation,
  automaticEnd,
  onChanged,
}: {
  conversation: Conversation
  automaticEnd: AutomaticEnd | null
  onChanged: () => void
}) {
  const { textOf } = useReasons()
  const mayChange = useCan('changeReason')
  const [isAsked, setAsked] = useState(false)
  return (
    <span className="flex min-w-0 items-start gap-1">
      <span className="min-w-0 flex-1 wrap-anywhere" dir="auto">
        {textOf({ finishReasonId: conversation.finishReasonId, automaticEnd })}
      </span>
      {mayChange && (
        <IconButton
          icon={Pencil}
          size="sm"
          label="Alterar motivo"
          onClick={() => setAsked(true)}
          className="-my-1 max-md:size-11"
        />
      )}
      {isAsked && (
        <ChangeReasonDialog
          conversation={conversation}
          onChanged={onChanged}
          onClose={() => setAsked(false)}
        />
      )}
    </span>
  )
}
