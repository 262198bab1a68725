import { FileText, Lock, Music, Plus, Send as SendIcon, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Mention } from '#shared/messages/message-metadata.ts'
import { pickerExtensions } from '#shared/messages/media.ts'
import { placeholdersIn } from '#shared/text/template.ts'
import { FileName } from '#web/ui/file-name.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { documentFacts } from '#web/conversations/kinds/measures.ts'
import type { SentFile } from '#web/conversations/sends/sends.ts'

export interface Attachment extends SentFile {
  key: string
  caption: string
  /** Whom the caption of a note mentions. */
  mentions?: readonly Mention[]
}

/** For the field of a caption, which has the focus whichever file is shown. */
export interface CaptionProps {
  attachment: Attachment
  onChange: (caption: string, mentions?: readonly Mention[]) => void
  onSend: () => void
}

/** The chosen files before they are sent: previewed, captioned, or removed again. */
export function AttachmentsDialog({
  attachments,
  noteField,
  onAdd,
  onChange,
  onSend,
  onClose,
}: {
  attachments: readonly Attachment[]
  onAdd: (files: readonly File[]) => void
  /** The field of a note's text, for files that are kept in notes of the team and sent to nobody. */
  noteField?: (props: CaptionProps & { key: string }) => ReactNode
  onChange: (attachments: Attachment[]) => void
  onSend: () => void
  /** Closes without sending anything. */
  onClose: () => void
}) {
  const [shownKey, setShownKey] = useState<string>()
  const shown = attachments.find(({ key }) => key === shownKey) ?? attachments[0]
  const isNote = noteField !== undefined
  // What was written in the field of the note is still there, unless it was changed here.
  const discard = useDiscard(
    attachments.some(({ caption, mentions }) => caption.trim() !== '' && (!isNote || mentions !== undefined)),
    onClose,
  )
  if (!shown) return null
  const setCaption: CaptionProps['onChange'] = (caption, mentions) =>
    onChange(
      attachments.map((each) =>
        each.key === shown.key ? { ...each, caption, ...(mentions && { mentions }) } : each,
      ),
    )
  const remove = () => {
    URL.revokeObjectURL(shown.url)
    onChange(attachments.filter(({ key }) => key !== shown.key))
  }
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title={titleOf(attachments.length, isNote)}
      {...(isNote && { description: 'Só a equipe vê.' })}
      footer={
        <>
          <Button onClick={discard.close}>Cancelar</Button>
          <Button variant="primary" icon={isNote ? Lock : SendIcon} onClick={onSend}>
            {isNote ? 'Salvar nota' : 'Enviar'}
          </Button>
        </>
      }
    >
      <Preview attachment={shown} onRemove={remove} />
      <Strip attachments={attachments} shownKey={shown.key} onShow={setShownKey} onAdd={onAdd} />
      {!shown.isVoice &&
        (noteField ?? captionField)({ key: shown.key, attachment: shown, onChange: setCaption, onSend })}
      {discard.question}
    </Dialog>
  )
}

function titleOf(count: number, isNote: boolean): string {
  const files = count === 1 ? 'arquivo' : `${count} arquivos`
  return isNote ? `Nota interna com ${files}` : `Enviar ${files}`
}

function Preview({ attachment, onRemove }: { attachment: Attachment; onRemove: () => void }) {
  const { file, url, messageType } = attachment
  return (
    <figure className="grid gap-2">
      <div className="grid h-64 place-items-center overflow-hidden rounded-card bg-sunken">
        {messageType === 'image' && (
          <img src={url} alt={file.name} className="max-h-64 max-w-full object-contain" />
        )}
        {messageType === 'video' && (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- the operator's own film
          <video src={url} controls aria-label={file.name} className="max-h-64 max-w-full" />
        )}
        {messageType === 'audio' && (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- the operator's own recording
          <audio src={url} controls aria-label={file.name} />
        )}
        {messageType === 'document' && <FileText aria-hidden size={48} className="text-ink-3" />}
      </div>
      <figcaption className="flex items-center gap-2 text-sm">
        <span className="min-w-0 flex-1">
          <FileName name={file.name} className="font-medium" />
          <span className="block text-xs text-ink-2">
            {documentFacts({
              fileName: file.name,
              fileMimeType: file.type,
              fileSize: file.size,
              metadata: {},
            })}
          </span>
        </span>
        <IconButton label="Remover arquivo" icon={Trash2} tone="danger" onClick={onRemove} />
      </figcaption>
    </figure>
  )
}

const thumbnailLook =
  'grid size-12 place-items-center overflow-hidden rounded-control border bg-sunken text-ink-2'

function Strip({
  attachments,
  shownKey,
  onShow,
  onAdd,
}: {
  attachments: readonly Attachment[]
  shownKey: string
  onShow: (key: string) => void
  onAdd: (files: readonly File[]) => void
}) {
  return (
    <ul aria-label="Arquivos escolhidos" className="flex flex-wrap gap-2">
      {attachments.map(({ key, file, url, messageType }) => (
        <li key={key}>
          <button
            type="button"
            aria-label={file.name}
            aria-current={key === shownKey}
            title={file.name}
            onClick={() => onShow(key)}
            className={`${thumbnailLook} ${key === shownKey ? 'border-accent' : 'border-line'}`}
          >
            {messageType === 'image' ? (
              <img src={url} alt="" className="size-full object-cover" />
            ) : file.type.startsWith('audio/') ? (
              <Music aria-hidden size={20} />
            ) : (
              <FileText aria-hidden size={20} />
            )}
          </button>
        </li>
      ))}
      <li>
        <label
          title="Adicionar arquivo"
          className={[
            'grid size-12 cursor-pointer place-items-center rounded-control',
            'border border-dashed border-line-strong text-ink-2',
            'focus-within:outline-2 focus-within:outline-focus hover:bg-hover',
          ].join(' ')}
        >
          <Plus aria-hidden size={20} />
          <input
            type="file"
            multiple
            accept={pickerExtensions}
            aria-label="Adicionar arquivo"
            className="sr-only"
            onChange={(event) => {
              onAdd([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </label>
      </li>
    </ul>
  )
}

const captionField = (props: CaptionProps & { key: string }) => <CaptionField {...props} key={props.key} />

function CaptionField({ attachment: { caption }, onChange, onSend }: CaptionProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  // The caption has the focus, whichever file is shown; what a quick reply could not fill is selected.
  useEffect(() => {
    const written = field.current?.value ?? ''
    const [gap] = placeholdersIn(written)
    field.current?.focus()
    if (gap !== undefined) field.current?.setSelectionRange(...rangeOf(written, gap))
  }, [])
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        Legenda
      </label>
      <textarea
        ref={field}
        id={id}
        rows={2}
        dir="auto"
        maxLength={4096}
        value={caption}
        placeholder="Adicione uma legenda..."
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          // While an input method composes, Enter picks a word; Safari reports that only by key code 229.
          if (event.nativeEvent.isComposing || event.keyCode === 229) return
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          if (!event.repeat) onSend()
        }}
        className={cn(fieldLook('lines'), 'resize-none')}
      />
    </div>
  )
}

const rangeOf = (text: string, part: string) =>
  [text.indexOf(part), text.indexOf(part) + part.length] as const
