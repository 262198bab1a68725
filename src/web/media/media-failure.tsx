import { RotateCw, type LucideIcon } from 'lucide-react'
import { Button } from '#web/ui/buttons/button.tsx'

/** Shown in place of a file that could not be loaded. */
export function MediaFailure({
  icon: Icon,
  text,
  onRetry,
}: {
  icon: LucideIcon
  text: string
  onRetry: () => void
}) {
  return (
    <span className="grid justify-items-center gap-1.5 p-2 text-center text-xs text-ink-2" role="status">
      <Icon aria-hidden size={20} />
      {text}
      <Button size="sm" icon={RotateCw} onClick={onRetry}>
        Tentar novamente
      </Button>
    </span>
  )
}
