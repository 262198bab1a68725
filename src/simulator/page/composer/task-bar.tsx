import { X } from 'lucide-react'
import { kindName } from '#simulator/page/chat/kind-names.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import type { ComposerTask } from './composer-task.ts'

/** Shown above the field: the message being replied to or edited. */
export function TaskBar({
  task: { kind, message },
  companyName,
  onCancel,
}: {
  task: ComposerTask
  companyName: string
  onCancel: () => void
}) {
  const isReply = kind === 'reply'
  const title = isReply
    ? `Respondendo a ${message.from === 'phone' ? 'você' : companyName}`
    : 'Editando mensagem'
  return (
    <div className="flex items-center gap-1 border-b border-line py-1 pr-1 pl-2.5">
      <div className="min-w-0 flex-1 border-l-[3px] border-accent pl-2 text-xs">
        <p className="truncate font-semibold text-accent-text">{title}</p>
        <p dir="auto" className="truncate text-ink-2">
          {message.text || kindName(message)}
        </p>
      </div>
      <IconButton
        label={isReply ? 'Cancelar resposta' : 'Cancelar edição'}
        icon={X}
        size="sm"
        onClick={onCancel}
      />
    </div>
  )
}
