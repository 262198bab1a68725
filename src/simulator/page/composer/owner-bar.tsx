import { Store, X } from 'lucide-react'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'

/** Shown above the field while writing on the company's own phone. */
export function OwnerBar({ onSwitchBack }: { onSwitchBack: () => void }) {
  return (
    <div
      role="status"
      className={cn(
        'flex items-center gap-2 border-b border-amber-line bg-amber-soft py-0.5 pr-1 pl-2.5 text-xs',
        'font-medium text-amber-text',
      )}
    >
      <Store size={14} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">Pelo celular da empresa</span>
      <IconButton label="Voltar a escrever como cliente" icon={X} size="sm" onClick={onSwitchBack} />
    </div>
  )
}
