import { Pencil, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Draft } from '#shared/conversations/drafts.ts'
import type { Message } from '#shared/messages/messages.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { quotedName } from '#web/conversations/rows/sender-name.ts'
import { useMe } from '#web/users/users.tsx'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'

/** The message that the next one answers. */
export function QuoteBar({
  quoted,
  contactName,
  onCancel,
}: {
  quoted: NonNullable<Draft['quoted']>
  contactName: string
  onCancel: () => void
}) {
  const { id: userId } = useMe()
  return (
    <Bar
      title={`Respondendo a ${quotedName(quoted, { userId, contactName }) || 'uma mensagem'}`}
      cancel="Cancelar resposta"
      onCancel={onCancel}
    >
      <MessagePreview message={quoted} />
    </Bar>
  )
}

/** The message that is being edited. */
export function EditBar({ message, onCancel }: { message: Message; onCancel: () => void }) {
  return (
    <Bar
      title={
        <>
          <Pencil aria-hidden size={12} className="mr-1 inline-block align-[-1px]" />
          Editando mensagem
        </>
      }
      cancel="Cancelar edição"
      onCancel={onCancel}
    >
      <MessagePreview message={message} />
    </Bar>
  )
}

function Bar(props: { title: ReactNode; cancel: string; onCancel: () => void; children: ReactNode }) {
  return (
    <div
      className={[
        'mb-2 flex items-center gap-2 rounded-[6px]',
        'border-l-[3px] border-accent bg-ink/5 py-1 pr-1 pl-2.5',
      ].join(' ')}
    >
      <div className="min-w-0 flex-1 text-sm text-ink-2">
        <p className="truncate text-xs font-semibold text-accent-text">{props.title}</p>
        <p className="truncate" dir="auto">
          {props.children}
        </p>
      </div>
      <IconButton label={props.cancel} icon={X} size="sm" onClick={props.onCancel} />
    </div>
  )
}
