import { useState } from 'react'
import { maxTextLength } from '#shared/messages/messages.ts'
import type { ScheduledMessage } from '#shared/scheduled/scheduled.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { cn } from '#web/ui/cn.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { newClientMessageId } from '#web/conversations/sends/new-client-message-id.ts'
import { useSchedule, useScheduledActs } from './queries.ts'
import { ScheduleForm } from './schedule-form.tsx'

/** Edits the text and the time of a scheduled message, or schedules one that has ended again. */
export function ScheduledDialog({
  message,
  isAgain = false,
  onClose,
}: {
  message: ScheduledMessage
  /** Another one, with the same text. */
  isAgain?: boolean
  onClose: () => void
}) {
  const [content, setContent] = useState(message.content)
  const [clientMessageId] = useState(newClientMessageId)
  // What a colleague has changed since it was opened is not overwritten.
  const [{ id, version }] = useState(message)
  const { change } = useScheduledActs()
  const again = useSchedule(message.conversationId)
  const { movedFrom, sendAt, cancelOnAnswer, onlyOpen } = message
  const isOver = message.state !== 'pending'
  return (
    <Dialog isOpen title={isAgain ? 'Agendar de novo' : 'Editar mensagem agendada'} onClose={onClose}>
      <ScheduleForm
        conversationId={message.conversationId}
        initial={isOver ? undefined : { sendAt: movedFrom ?? sendAt, cancelOnAnswer, onlyOpen }}
        isBusy={change.isPending || again.isPending}
        isOff={content.trim() === ''}
        onClose={onClose}
        onChosen={(chosen) => {
          const body = { ...chosen, content: content.trim() }
          if (isAgain) again.mutate({ ...body, clientMessageId }, { onSuccess: onClose })
          else change.mutate({ ...body, id, version }, { onSuccess: onClose })
        }}
      >
        <Field label={`Mensagem para ${message.contact.name}`}>
          {(control) => (
            <textarea
              {...control}
              dir="auto"
              rows={4}
              value={content}
              maxLength={maxTextLength}
              onChange={(event) => setContent(event.target.value)}
              className={cn(fieldLook('field'), 'h-auto resize-y px-2.5 py-2')}
            />
          )}
        </Field>
      </ScheduleForm>
    </Dialog>
  )
}
