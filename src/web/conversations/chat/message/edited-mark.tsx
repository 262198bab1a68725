import type { Message } from '#shared/messages/messages.ts'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'

const EarlierTexts = onDemand(async () => (await import('./message-details-dialog.tsx')).EarlierTexts)
const stay = () => undefined

/** 'editada'; pressing it shows the earlier texts. */
export function EditedMark({ message }: { message: Message }) {
  return (
    <Popover
      label="Antes da edição"
      trigger={
        <button
          type="button"
          title="Ver o texto anterior"
          className={[
            'relative mr-0.5 -my-1 min-h-6 underline decoration-dotted underline-offset-2',
            // A finger needs more than the line.
            'max-md:before:absolute max-md:before:inset-x-0 max-md:before:-inset-y-2.5',
          ].join(' ')}
        >
          editada
        </button>
      }
    >
      <EarlierTexts message={message} onClose={stay} />
    </Popover>
  )
}
