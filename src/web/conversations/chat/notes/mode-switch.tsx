import { Lock } from 'lucide-react'
import { useNoteDraft } from '#web/conversations/drafts/use-note-draft.ts'
import { lineText } from '#web/conversations/kinds/message-preview.tsx'

const look =
  'inline-flex h-6 items-center gap-[5px] rounded-[6px] px-2.5 text-xs font-medium whitespace-nowrap border'
const off = 'border-transparent text-ink-2 hover:text-ink'

/** Whether a reply is written, or a note of the team. */
export function ModeSwitch({ isNote, onChange }: { isNote: boolean; onChange: (isNote: boolean) => void }) {
  return (
    <div
      role="group"
      aria-label="Modo de escrita"
      className="inline-flex flex-none rounded-control border border-line bg-sunken p-0.5 max-md:p-0"
    >
      <button
        type="button"
        aria-pressed={!isNote}
        onClick={() => onChange(false)}
        className={`${look} ${isNote ? off : 'border-line bg-surface text-ink'}`}
      >
        Responder
      </button>
      <button
        type="button"
        aria-pressed={isNote}
        aria-keyshortcuts="Alt+N"
        title="Nota interna (Alt+N)"
        onClick={() => onChange(true)}
        className={`${look} ${isNote ? 'border-yellow-line bg-yellow-soft text-yellow-text' : off}`}
      >
        <Lock aria-hidden size={12} />
        Nota interna
      </button>
    </div>
  )
}

/** Below the field of one mode: what was begun in the other one and is still there. */
export function KeptDraft({ of, text }: { of: 'resposta' | 'nota'; text: string }) {
  if (text === '') return null
  return (
    <span className="min-w-0 truncate" dir="auto">
      Rascunho da {of} guardado: “{text}”
    </span>
  )
}

/** Below the field of a reply: the note that was begun. */
export function KeptNote(of: { userId: number; conversationId: number }) {
  const { text } = useNoteDraft(of.userId, of.conversationId)
  if (text.trim() === '') return null
  return (
    <p className="mt-1.5 flex min-w-0 text-xs text-ink-3">
      <KeptDraft of="nota" text={lineText(text)} />
    </p>
  )
}
