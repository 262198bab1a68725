import { Ban, Copy, EllipsisVertical, FileX, Lock, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, use } from 'react'
import { erasedContent, expiredContent } from '#shared/erased.ts'
import { messageTypeLabel } from '#shared/messages/message-kinds.ts'
import type { Mention } from '#shared/messages/message-metadata.ts'
import type { Message } from '#shared/messages/messages.ts'
import { isDeletableNote, isEditableNote } from '#shared/messages/notes.ts'
import { mentionParts } from '#shared/notifications/mention-parts.ts'
import { BodyHead } from '#web/conversations/bodies/body-head.tsx'
import { FileLine } from '#web/conversations/bodies/file-line.tsx'
import { MediaBox } from '#web/conversations/bodies/media-box.tsx'
import { UploadLine } from '#web/conversations/chat/message/outcome/upload-line.tsx'
import { fileOfNote } from '#web/conversations/kinds/note-file.ts'
import { keepNoteDraft, readNoteDraft } from '#web/conversations/drafts/use-note-draft.ts'
import type { PendingSend } from '#web/conversations/sends/sends.ts'
import { clockTime, serverNow } from '#web/platform/live/server-clock.ts'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { RichText, WordMarks } from '#web/ui/rich-text/rich-text.tsx'
import { cut } from '#web/ui/cut.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/users.tsx'
import { EditedMark } from './edited-mark.tsx'
import { LineText } from './event-line.tsx'
import type { MessageActions, MessageItem } from './message-item.ts'
import { MessageTime } from './message-meta.tsx'

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

/** A note of the team, over the whole width of the thread; of a deleted one, a line. */
function NoteCard({
  note,
  isMarked = false,
  menu,
  children,
}: {
  note: Message
  /** Highlighted after a jump to it. */
  isMarked?: boolean
  menu?: ReactNode
  /** Shown below the text. */
  children?: ReactNode
}) {
  const timeOf = use(MessageTime)
  if (note.deletedAt !== null) {
    const { deletedBy } = note.metadata
    const text = deletedBy === undefined ? 'Nota excluída' : `Nota excluída por ${deletedBy}`
    return <LineText icon={Ban} text={text} at={note.sortAt} />
  }
  return (
    <div
      className={[
        'rounded-control border border-l-[3px] border-yellow-line border-l-amber bg-yellow-soft',
        `py-[7px] pr-2 pl-3 text-base ${isMarked ? 'ring-2 ring-focus' : ''}`,
      ].join(' ')}
    >
      <div
        data-unsearched
        className="flex min-h-5 min-w-0 items-center gap-[5px] text-xs whitespace-nowrap text-yellow-text"
      >
        <Lock aria-hidden size={12} className="flex-none" />
        <span className="font-semibold">{messageTypeLabel('note')}</span>
        <span aria-hidden>·</span>
        <span className="min-w-0 truncate" title={note.senderName ?? undefined}>
          {note.senderName ?? 'Equipe'}
        </span>
        <time dateTime={note.sortAt} className="ml-0.5 tabular-nums">
          {timeOf(note.sortAt)}
        </time>
        {note.editedAt && <EditedMark message={note} />}
        <span className="ml-auto pl-1 max-md:hidden">só a equipe vê</span>
        {menu && <span className="-my-1 flex flex-none max-md:ml-auto">{menu}</span>}
      </div>
      <Content note={note} />
      {children}
    </div>
  )
}

function Content({ note }: { note: Message }) {
  const { metadata, fileUrl, content } = note
  if (metadata.isErased) return <p className="mt-0.5 italic">{erasedContent}</p>
  if (metadata.isExpired && fileUrl === null) return <p className="mt-0.5 italic">{expiredContent}</p>
  const file = fileOfNote(note)
  return (
    <>
      {content !== '' && (
        <div dir="auto" className="mt-0.5 pr-2 [overflow-wrap:anywhere]">
          <Mentions mentions={metadata.mentions}>
            <RichText text={content} />
          </Mentions>
        </div>
      )}
      {file && (
        <div className="mt-1.5">
          {fileUrl === null ? (
            <BodyHead
              icon={FileX}
              title={cut(file.fileName ?? '')}
              detail="O arquivo não está mais guardado"
            />
          ) : file.messageType === 'image' || file.messageType === 'video' ? (
            <MediaBox message={file} meta={null} />
          ) : (
            <FileLine message={file} meta={null} />
          )}
        </div>
      )}
    </>
  )
}

/** Whom the note mentions stands out in its text; the reader most. */
function Mentions({
  mentions = [],
  children,
}: {
  mentions?: readonly Mention[] | undefined
  children: ReactNode
}) {
  const { id } = useMe()
  if (mentions.length === 0) return children
  const own = mentions.find(({ userId }) => userId === id)
  const names = mentions.map(({ name }) => name)
  const mark = (words: string) =>
    mentionParts(words, names).map(({ text, isMention }, n) =>
      isMention ? (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
          key={n}
          className={`rounded-[4px] px-0.5 font-medium ${
            text === `@${own?.name}` ? 'bg-amber-soft text-amber-text ring-1 ring-amber-line' : 'bg-ink/8'
          }`}
        >
          {text}
        </span>
      ) : (
        text
      ),
    )
  return <WordMarks value={mark}>{children}</WordMarks>
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
      {!pending.file && (
        <button type="button" className={link} onClick={() => backToDraft(pending, actions)}>
          Voltar ao rascunho
        </button>
      )}
      <button type="button" className={link} onClick={() => actions.onDiscard(pending)}>
        Descartar
      </button>
    </p>
  )
}

/** What was refused can be changed, such as whom it mentions. */
function backToDraft(pending: PendingSend, { onDiscard }: MessageActions): void {
  if ('contactId' in pending) return
  const { userId, content, mentions, conversationId } = pending
  const begun = readNoteDraft(userId, conversationId)
  const text = [begun?.content, content].filter(Boolean).join('\n')
  keepNoteDraft(userId, conversationId, text, [...(begun?.mentions ?? []), ...(mentions ?? [])])
  onDiscard(pending)
}

async function copyNote(text: string): Promise<void> {
  if (await copyText(text)) toast({ title: 'Nota copiada' })
  else toast({ title: 'O navegador não deixou copiar', tone: 'error' })
}
