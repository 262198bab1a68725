import { Ban, FileX, Lock } from 'lucide-react'
import { type ReactNode, use } from 'react'
import { erasedContent, expiredContent } from '#shared/erased.ts'
import type { Message } from '#shared/messages/messages.ts'
import { messageTypeLabel } from '#shared/messages/message-kinds.ts'
import { BodyHead } from '#web/conversations/bodies/body-head.tsx'
import { FileLine } from '#web/conversations/bodies/file-line.tsx'
import { MediaBox } from '#web/conversations/bodies/media-box.tsx'
import { fileOfNote } from '#web/conversations/kinds/note-file.ts'
import { cut } from '#web/ui/cut.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { LineText } from './event-line.tsx'
import { EditedMark } from './edited-mark.tsx'
import { MessageTime } from './message-meta.tsx'

/** A note of the team, over the whole width of the thread; of a deleted one, a line. */
export function NoteCard({
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
  if (note.deletedAt !== null) return <LineText icon={Ban} text="Nota excluída" at={note.sortAt} />
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
          <RichText text={content} />
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
