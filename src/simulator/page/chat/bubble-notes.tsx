import { CircleDotDashed, Forward, Timer, type LucideIcon } from 'lucide-react'
import type { Wrap } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'

const wrapNotes: Partial<Record<Wrap, { icon: LucideIcon; words: string }>> = {
  ephemeral: { icon: Timer, words: 'Mensagem temporária' },
  viewOnce: { icon: CircleDotDashed, words: 'Visualização única' },
  viewOnceV2: { icon: CircleDotDashed, words: 'Visualização única' },
  viewOnceV2Extension: { icon: CircleDotDashed, words: 'Visualização única' },
}

/** Notes above the text: forwarded, disappearing. */
export function BubbleNotes({ message: { forwarded, wrap = [] } }: { message: ChatMessage }) {
  const wraps = wrap.map((name) => wrapNotes[name]).filter((note) => note !== undefined)
  const notes = [...(forwarded ? [{ icon: Forward, words: 'Encaminhada' }] : []), ...wraps]
  return notes.map(({ icon: Icon, words }) => (
    <span key={words} className="flex items-center gap-1 px-0.5 pb-0.5 text-xs text-ink-2">
      <Icon size={12} aria-hidden />
      {words}
    </span>
  ))
}
