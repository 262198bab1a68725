import { useQuery } from '@tanstack/react-query'
import { Pin } from 'lucide-react'
import { simulatorQueries } from '#simulator/page/data/queries.ts'
import { cn } from '#web/ui/cn.ts'
import { bubbleId } from './bubble.tsx'
import { kindName } from './kind-names.ts'

/** The last pinned message, below the header; a click scrolls to it. */
export function PinnedLine({ phoneId }: { phoneId: string }) {
  const { data: chat = [] } = useQuery(simulatorQueries.chat(phoneId))
  const message = chat.findLast(({ pinned, deleted }) => pinned && !deleted)
  if (!message) return null
  const label = message.text || kindName(message)
  return (
    <button
      type="button"
      title={label}
      aria-label={`Mensagem fixada: ${label}`}
      onClick={() => document.getElementById(bubbleId(message.id))?.scrollIntoView({ block: 'center' })}
      className={cn(
        'flex min-h-8 shrink-0 items-center gap-2 border-b border-line bg-surface px-2.5 text-left',
        'text-xs text-ink-2 -outline-offset-2 hover:bg-hover',
      )}
    >
      <Pin size={14} aria-hidden className="shrink-0 text-accent-text" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {label}
      </span>
    </button>
  )
}
