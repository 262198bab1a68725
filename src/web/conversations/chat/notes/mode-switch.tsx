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

/** Below the field of a reply: the note that was begun. */
export function KeptNote({ userId, conversationId }: { userId: number; conversationId: number }) {
  const { text } = useNoteDraft(userId, conversationId)
  if (text.trim() === '') return null
  return (
    <p className="mt-1.5 truncate text-xs text-ink-3" dir="auto">
      Rascunho da nota guardado: “{lineText(text)}”
    </p>
  )
}
