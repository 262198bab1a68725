import { useState } from 'react'
import { type Contact, contactLimits } from '#shared/contacts/contacts.ts'
import { useMe } from '#web/users/users.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { ContactConflict, useSaveContact } from '#web/contacts/save-contact.ts'
import { toastNotSaved, toastSaved } from '#web/contacts/toast-saved.ts'
import { keepNoteDraft, type NoteDraft, readNoteDraft } from './note-drafts.ts'

/**
 * Notes of the team about a contact. A colleague's version saved meanwhile is shown beside the draft; neither
 * is lost.
 */
export function ContactNotes({ contact }: { contact: Contact }) {
  const { id: userId } = useMe()
  const [draft, setKept] = useState(() => readNoteDraft(userId, contact.id))
  const { mutateAsync, isPending } = useSaveContact(contact.id)
  const now = contact.notes ?? ''
  const setDraft = (next: NoteDraft | undefined) => {
    keepNoteDraft(userId, contact.id, next)
    setKept(next)
  }
  const text = draft?.text ?? now
  const isOvertaken = draft !== undefined && draft.base !== now && draft.text !== now
  const isDirty = draft !== undefined && draft.text !== now

  const write = (next: string) =>
    setDraft(next === now ? undefined : { base: draft?.base ?? now, text: next })
  const save = () => {
    if (!draft || isPending) return
    // Awaits the promise rather than using callbacks: the chat may be left before the answer comes.
    mutateAsync((found) => ((found.notes ?? '') === draft.base ? { notes: draft.text } : undefined)).then(
      ({ notes }) => {
        // What was written meanwhile is not saved yet.
        const later = readNoteDraft(userId, contact.id)?.text ?? draft.text
        setDraft(later === draft.text ? undefined : { base: notes ?? '', text: later })
        toastSaved()
      },
      (error: Error) => {
        // What the colleague wrote is shown by now.
        if (!(error instanceof ContactConflict)) toastNotSaved(error)
      },
    )
  }
  return (
    <div className="grid gap-2">
      <textarea
        aria-label="Notas"
        rows={4}
        maxLength={contactLimits.notes}
        placeholder="Nenhuma nota"
        value={text}
        dir="auto"
        onChange={(event) => write(event.target.value)}
        className={`${fieldLook('lines')} thin-scroll text-sm`}
      />
      {isOvertaken && (
        <div
          role="alert"
          className="grid gap-1.5 rounded-control border border-amber-line bg-amber-soft p-2 text-xs"
        >
          <p className="font-medium text-amber-text">Um colega mudou as notas enquanto você escrevia:</p>
          <p
            className={[
              'max-h-32 thin-scroll overflow-y-auto',
              'whitespace-pre-wrap text-ink [overflow-wrap:anywhere]',
            ].join(' ')}
            dir="auto"
          >
            {now || 'Nenhuma nota'}
          </p>
          <div className="flex flex-wrap gap-1.5">
            <Button size="sm" onClick={() => setDraft({ base: now, text: joined(now, text) })}>
              Juntar com as minhas
            </Button>
            <Button size="sm" onClick={() => setDraft(undefined)}>
              Ficar com as do colega
            </Button>
          </div>
        </div>
      )}
      {isDirty && (
        <div className="flex items-center gap-1.5">
          <span
            role="status"
            className="mr-auto inline-flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-2"
          >
            <span aria-hidden className="size-2 rounded-full bg-amber" />
            Não salvas
          </span>
          <Button size="sm" variant="ghost" onClick={() => setDraft(undefined)}>
            Descartar
          </Button>
          <Button
            size="sm"
            variant="primary"
            disabled={isOvertaken}
            isBusy={isPending}
            busyLabel="Salvando..."
            onClick={save}
          >
            Salvar notas
          </Button>
        </div>
      )}
    </div>
  )
}

/** The colleague's text first, cut to the allowed length. */
function joined(theirs: string, mine: string): string {
  return [theirs, mine]
    .filter((each) => each.trim() !== '')
    .join('\n\n')
    .slice(0, contactLimits.notes)
}
