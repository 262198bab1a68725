import { cn } from '#web/ui/cn.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import type { SampleMaker } from './sample-group.ts'
import { sampleGroups } from './sample-messages.ts'

/** The rarely used kinds: a click sends a sample. */
export function MoreKindsDialog({
  onClose,
  onChoose,
}: {
  onClose: () => void
  onChoose: (make: SampleMaker) => void
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Mais tipos de mensagem"
      description="Cada um envia um exemplo. O texto que está no campo vai junto, onde o tipo tem texto."
    >
      {sampleGroups.map(({ title, items }) => (
        <section key={title} aria-label={title}>
          <h3 className="mb-1 text-xs font-semibold text-ink-2">{title}</h3>
          <ul className="-mx-2 grid grid-cols-2 gap-0.5">
            {items.map(({ icon: Icon, label, make }) => (
              <li key={label}>
                <button
                  type="button"
                  onClick={() => {
                    onChoose(make)
                    onClose()
                  }}
                  className={cn(
                    'flex min-h-9 w-full items-center gap-2 rounded-control px-2 py-1 text-left text-sm',
                    'hover:bg-hover',
                  )}
                >
                  <Icon size={16} aria-hidden className="shrink-0 text-ink-2" />
                  {label}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  )
}
