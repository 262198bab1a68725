import { useState } from 'react'
import type { PhoneView } from '#simulator/control-views.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { cn } from '#web/ui/cn.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { otherEvents } from './other-events.ts'

/** Events on a phone outside its chat. Each leaves a line in the log. */
export function OtherEventsDialog({
  phones,
  front,
  onClose,
}: {
  /** The phones to choose from, shown ones first. */
  phones: PhoneView[]
  front: PhoneView
  onClose: () => void
}) {
  const [phoneId, setPhoneId] = useState(front.id)
  const { run } = useAction()
  function begin({ send, done }: (typeof otherEvents)[number]) {
    run(async () => {
      await send(phoneId)
      toast({ title: done, description: 'O registro do gateway mostra o aviso.' })
    })
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Outros eventos"
      description="O que acontece em um celular fora da conversa com a empresa."
    >
      <Field label="Celular">
        {(control) => (
          <Select
            {...control}
            value={phoneId}
            onChange={setPhoneId}
            options={phones.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </Field>
      <ul className="-mx-2">
        {otherEvents.map((event) => (
          <li key={event.label}>
            <button
              type="button"
              onClick={() => begin(event)}
              className={cn(
                'grid w-full grid-cols-[16px_minmax(0,1fr)] gap-x-2.5 rounded-control px-2 py-2',
                'text-left text-sm hover:bg-hover',
              )}
            >
              <event.icon size={16} aria-hidden className="mt-px shrink-0 text-ink-2" />
              <span className="font-medium">{event.label}</span>
              <span className="col-start-2 text-xs text-ink-2">{event.about}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
