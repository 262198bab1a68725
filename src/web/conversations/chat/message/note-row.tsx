import { Copy, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import type { Message } from '#shared/messages/messages.ts'
import { isDeletableNote, isEditableNote } from '#shared/messages/notes.ts'
import { UploadLine } from '#web/conversations/chat/message/outcome/upload-line.tsx'
import type { PendingSend } from '#web/conversations/sends/sends.ts'
import { clockTime, serverNow } from '#web/platform/live/server-clock.ts'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/users.tsx'
import type { MessageActions, MessageItem } from './message-item.ts'
import { NoteCard } from './note-card.tsx'

/** A note of the team as a row of the timeline, with what may be done with it. */
export function NoteRow({
  item: { message, pending },
  isMarked,
  actions,
}: {
  item: MessageItem
  isMarked: boolean
  actions: MessageActions
}) {
  return (
    <article
      // @see roving-focus.ts
      tabIndex={-1}
      aria-label={`Nota interna de ${message.senderName ?? 'Equipe'}, ${clockTime(message.sortAt)}`}
      className="group rounded-control pt-2.5 pb-1 outline-focus focus-visible:outline-2"
    >
      <NoteCard
        note={message}
        isMarked={isMarked}
        menu={message.id > 0 && <NoteMenu note={message} actions={actions} />}
      >
        {pending && <Outcome pending={pending} actions={actions} />}
      </NoteCard>
    </article>
  )
}

function NoteMenu({
  note,
  actions: { onEditNote, onDeleteNote },
}: {
  note: Message
  actions: MessageActions
}) {
  const me = useMe()
  const canEdit = onEditNote && isEditableNote(note, me, serverNow())
  const canDelete = onDeleteNote && isDeletableNote(note, me, serverNow())
  if (note.content === '' && !canEdit && !canDelete) return null
  return (
    <Menu
      trigger={
        <IconButton
          label="Opções da nota"
          icon={EllipsisVertical}
          size="sm"
          className="text-yellow-text hover:bg-ink/8"
        />
      }
    >
      {canEdit && (
        <MenuItem icon={Pencil} leadsElsewhere onSelect={() => onEditNote(note)}>
          Editar
        </MenuItem>
      )}
      {note.content !== '' && (
        <MenuItem icon={Copy} onSelect={() => void copyNote(note.content)}>
          Copiar
        </MenuItem>
      )}
      {canDelete && (
        <>
          <MenuLine />
          <MenuItem icon={Trash2} isDanger leadsElsewhere onSelect={() => onDeleteNote(note)}>
            Excluir
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** Of a note that the server has not confirmed: it is being saved, or was refused. */
function Outcome({ pending, actions }: { pending: PendingSend; actions: MessageActions }) {
  if (pending.error === null)
    return pending.file ? (
      <UploadLine send={pending} onDiscard={() => actions.onDiscard(pending)} />
    ) : (
      <p className="mt-1 text-xs text-yellow-text">Salvando...</p>
    )
  const link = 'font-semibold underline underline-offset-2'
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-1.5 text-xs text-red-text">
      <span>Nota não salva: {pending.error}</span>
      <button type="button" className={link} onClick={() => actions.onResend(pending)}>
        Tentar novamente
      </button>
      <button type="button" className={link} onClick={() => actions.onDiscard(pending)}>
        Descartar
      </button>
    </p>
  )
}

async function copyNote(text: string): Promise<void> {
  if (await copyText(text)) toast({ title: 'Nota copiada' })
  else toast({ title: 'O navegador não deixou copiar', tone: 'error' })
}
