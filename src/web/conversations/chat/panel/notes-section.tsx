import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { Link } from 'wouter'
import { PanelSection } from '#web/contacts/contacts.tsx'
import { lineText } from '#web/conversations/kinds/message-preview.tsx'
import { clockTime, dayKey, serverNow, shortDate } from '#web/platform/live/server-clock.ts'
import { notesQuery } from './notes-query.ts'
import { PanelTrouble } from './panel-parts.tsx'

/** How many notes of the team a conversation has, with a way to the newest; nothing where there is none. */
export function NotesSection({ conversationId }: { conversationId: number }) {
  const notes = useQuery(notesQuery(conversationId))
  if (notes.isError && !notes.data)
    return (
      <PanelSection title="Notas internas">
        <PanelTrouble
          error={notes.error}
          words="Não foi possível carregar as notas."
          onRetry={() => void notes.refetch()}
        />
      </PanelSection>
    )
  if (!notes.data || notes.data.total === 0) return null
  return (
    <PanelSection title="Notas internas" note={String(notes.data.total)}>
      <ul className="-mx-2 grid">
        {notes.data.notes.map((note) => (
          <li key={note.id}>
            <Link
              href={`/chat?conversation=${conversationId}&mensagem=${note.id}`}
              replace
              title="Ir para a nota"
              className={[
                'grid min-h-11 gap-px rounded-control px-2 py-1',
                'hover:bg-hover focus-visible:-outline-offset-2',
              ].join(' ')}
            >
              <span className="flex min-w-0 items-center gap-1.5 text-sm">
                <Lock aria-hidden size={12} className="flex-none text-yellow-text" />
                <span className="truncate" dir="auto">
                  {lineText(note.content || (note.fileName ?? ''))}
                </span>
              </span>
              <span className="truncate text-xs text-ink-3 tabular-nums">
                {note.senderName ?? 'Equipe'} · {whenOf(note.sentAt)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}

/** The time of one of today, the day of an older one. */
function whenOf(instant: string): string {
  const today = dayKey(new Date(serverNow()).toISOString())
  return dayKey(instant) === today ? clockTime(instant) : shortDate(instant)
}
