import { Pencil, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { Mention } from '#shared/messages/message-metadata.ts'
import { maxTextLength, type Message } from '#shared/messages/messages.ts'
import type { Me } from '#shared/users/users.ts'
import { AttachmentsDialog, type Attachment } from '#web/conversations/attachments/attachments-dialog.tsx'
import { ComposerField } from '#web/conversations/chat/composer/composer-field.tsx'
import { AttachButton, EmojiButton } from '#web/conversations/chat/composer/composer-buttons.tsx'
import { EmojiList } from '#web/conversations/chat/composer/emoji-list.tsx'
import { useEmojiShortcut } from '#web/conversations/chat/composer/use-emoji-shortcut.ts'
import { useDraftText } from '#web/conversations/drafts/use-draft.ts'
import { useNoteDraft } from '#web/conversations/drafts/use-note-draft.ts'
import { lineText } from '#web/conversations/kinds/message-preview.tsx'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { useEditNote } from '#web/conversations/mutations/note-mutations.ts'
import { newClientMessageId } from '#web/conversations/sends/new-client-message-id.ts'
import { useSendMessage } from '#web/conversations/sends/send-mutations.ts'
import { composedNow, type Send } from '#web/conversations/sends/sends.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { maxCaptionLength, NoteCaption } from './note-caption.tsx'
import { MentionList } from './mention-list.tsx'
import { mentionsIn, useMentionMenu } from './use-mention-menu.ts'

/** A second Enter within this time is an accident, as with a reply. */
const slipMs = 300

interface NoteComposerProps {
  conversationId: number
  me: Me
  /** The note that is being edited; the draft of a new one is kept meanwhile. */
  editing: Message | undefined
  field: RefObject<HTMLTextAreaElement | null>
  attachments: readonly Attachment[]
  onFiles: (files: readonly File[], caption?: string) => void
  onAttachments: (attachments: Attachment[]) => void
  /** The switch of the modes; nothing in a conversation in which nobody replies. */
  modes: ReactNode
  /** Saved, or given up. */
  onDone: () => void
}

/** Writes notes of the team, in the place of the composer: nothing that is typed here reaches the client. */
export function NoteComposer(props: NoteComposerProps) {
  const { conversationId, me, editing, field, attachments, onFiles, onAttachments, onDone } = props
  const { text, mentions, write, submit, submitFiles, isSaving } = useNote(props)
  // What is written already is the text of the first file, until that is changed there.
  const isMoved = !editing && text.trim() !== '' && text.length <= maxCaptionLength
  const captioned = attachments.map((file, n) =>
    n === 0 && isMoved && file.mentions === undefined ? { ...file, caption: text, mentions } : file,
  )
  /** The file that has that text; once it is taken out again, the text stays where it was written. */
  const [carrier, setCarrier] = useState<string>()
  const [first] = attachments
  const carries = first && (isMoved && first.mentions === undefined ? first.key : carrier)
  if (carries !== carrier) setCarrier(carries)
  const [isActive, setActive] = useState(false)
  const reply = useDraftText(me.id, conversationId)
  const replace = (from: number, to: number, piece: string, takesFocus = true, mention?: Mention) => {
    const next = (text.slice(0, from) + piece + text.slice(to)).slice(0, maxTextLength)
    flushSync(() => write(next, mention))
    if (takesFocus) field.current?.focus()
    field.current?.setSelectionRange(from + piece.length, from + piece.length)
  }
  const emojis = useEmojiShortcut({
    text,
    isActive,
    onChoose: (emoji, { from, to }) => replace(from, to, emoji),
  })
  const people = useMentionMenu({
    conversationId,
    text,
    chosen: mentions,
    isActive,
    onChoose: (mention, { from, to }) => replace(from, to, `@${mention.name} `, true, mention),
  })
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter picks a word; Safari reports that only by key code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (!event.shiftKey && (people.onKey(event) || emojis.onKey(event))) {
      event.preventDefault()
      // Escape closes the list and does nothing else.
      return event.stopPropagation()
    }
    if (event.key === 'Escape' && editing) {
      event.preventDefault()
      return onDone()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat) submit()
  }
  const noteCaret = (event: SyntheticEvent<HTMLTextAreaElement>) => {
    emojis.field.onInput(event)
    people.noteCaret(event)
  }
  return (
    <footer
      aria-label="Nota interna"
      className="relative flex-none border-t border-line bg-surface px-2 pt-2 pb-2.5 md:px-3 md:pb-3"
    >
      {emojis.list && <EmojiList {...emojis.list} />}
      {people.menu && <MentionList {...people.menu} />}
      <div className="mb-2 flex min-w-0 items-center gap-2">
        {props.modes || <IconButton label="Fechar a nota" icon={X} size="sm" onClick={onDone} />}
        <span className="min-w-0 truncate text-xs text-yellow-text">Só a equipe vê.</span>
      </div>
      {editing && <EditBar note={editing} onCancel={onDone} />}
      <form
        className={[
          'flex items-end gap-0.5 rounded-card border border-amber bg-yellow-soft',
          'p-[3px] focus-within:border-transparent focus-within:outline-2',
          'focus-within:-outline-offset-1 focus-within:outline-amber',
        ].join(' ')}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <EmojiButton
          field={field}
          onChoose={(emoji, isMore) => {
            const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {}
            replace(selectionStart, selectionEnd, emoji, !isMore)
          }}
        />
        {!editing && <AttachButton onFiles={onFiles} />}
        <ComposerField
          {...emojis.field}
          {...people.owner}
          onInput={noteCaret}
          onSelect={noteCaret}
          field={field}
          text={text}
          label="Nota interna"
          placeholder="Só a equipe vê"
          onWrite={write}
          onFiles={onFiles}
          onKeyDown={onKeyDown}
          onFocus={() => setActive(true)}
          onBlur={() => setActive(false)}
        />
        <button
          type="submit"
          disabled={text.trim() === '' || isSaving}
          className={[
            'inline-flex h-8 flex-none items-center gap-1.5 rounded-[7px] px-3 text-sm font-semibold',
            'bg-yellow-text text-yellow-soft hover:brightness-95 disabled:bg-ink/8 disabled:text-ink-3',
          ].join(' ')}
        >
          {isSaving && <Spinner />}
          Salvar nota
        </button>
      </form>
      <div className="mt-1.5 flex min-w-0 items-center gap-3 text-xs text-ink-3 empty:hidden">
        {reply && (
          <span className="min-w-0 truncate" dir="auto">
            Rascunho da resposta guardado: “{lineText(reply)}”
          </span>
        )}
        {props.modes && (
          <span className="ml-auto flex flex-none items-center gap-1.5 max-md:hidden">
            <KeyCap>Alt N</KeyCap> volta a Responder
          </span>
        )}
      </div>
      {attachments.length > 0 && (
        <AttachmentsDialog
          noteField={({ key, ...field }) => (
            <NoteCaption key={key} conversationId={conversationId} {...field} />
          )}
          attachments={captioned}
          onAdd={onFiles}
          onChange={onAttachments}
          onSend={() =>
            submitFiles(
              captioned,
              captioned.some(({ key }) => key === carrier),
            )
          }
          onClose={() => {
            for (const { url } of attachments) URL.revokeObjectURL(url)
            onAttachments([])
          }}
        />
      )}
    </footer>
  )
}

/** The note that is written or edited, and the ways to save it. */
function useNote(props: NoteComposerProps) {
  const { conversationId, me, editing, field, onAttachments, onDone } = props
  const draft = useNoteDraft(me.id, conversationId)
  const [typed, setTyped] = useState<{ of: Message; text: string; mentions: readonly Mention[] }>()
  const edit = useEditNote(conversationId)
  const send = useSendMessage({ conversationId })
  const lastSavedAt = useRef(-Infinity)
  const edited = typed?.of === editing ? typed : undefined
  const text = editing ? (edited?.text ?? editing.content) : draft.text
  const chosen = (editing ? (edited?.mentions ?? editing.metadata.mentions) : draft.mentions) ?? []
  /** @param mention whom the text mentions from now on */
  const write = (next: string, mention?: Mention) => {
    // Whose name was deleted is mentioned again once it is chosen again.
    const mentions = mentionsIn(next, mention ? [...chosen, mention] : chosen)
    if (editing) setTyped({ of: editing, text: next, mentions })
    else draft.write(next, mentions)
  }
  const mentions = mentionsIn(text, chosen)
  const compose = (content: string, mentions: readonly Mention[]): Send => ({
    userId: me.id,
    userName: me.name,
    conversationId,
    clientMessageId: newClientMessageId(),
    content,
    quoted: null,
    isNote: true,
    ...(mentions.length > 0 && { mentions: [...mentions] }),
    composedAtMs: composedNow(serverNow()),
  })
  const saveEdit = (note: Message, content: string) => {
    if (content === '')
      return toast({
        tone: 'error',
        title: 'A nota não pode ficar vazia',
        description: "Para tirá-la da conversa, use 'Excluir'.",
      })
    if (content === note.content) return onDone()
    return edit.mutate(
      { messageId: note.id, content, ...(mentions.length > 0 && { mentions }) },
      // What was refused stays in the field.
      { onSuccess: onDone, onError: (error) => toastRefusal('Erro ao editar nota', error) },
    )
  }
  const submit = () => {
    const content = text.trim()
    field.current?.focus()
    if (edit.isPending) return
    if (editing) return saveEdit(editing, content)
    if (content === '' || performance.now() - lastSavedAt.current < slipMs) return
    lastSavedAt.current = performance.now()
    send(compose(content, mentions))
    draft.write('')
    onDone()
  }
  /** Each file is in a note of its own, in the order of choosing. */
  const submitFiles = (files: readonly Attachment[], hasText: boolean) => {
    for (const { caption, key: _key, mentions: chosenHere = [], ...file } of files)
      send({ ...compose(caption.trim(), chosenHere), file })
    if (hasText) draft.write('')
    onAttachments([])
    onDone()
  }
  return { text, mentions, write, submit, submitFiles, isSaving: edit.isPending }
}

function EditBar({ note, onCancel }: { note: Message; onCancel: () => void }) {
  return (
    <div
      className={[
        'mb-2 flex items-center gap-2 rounded-[6px] border-l-[3px] border-amber bg-yellow-soft',
        'py-1 pr-1 pl-2.5',
      ].join(' ')}
    >
      <div className="min-w-0 flex-1 text-sm text-ink-2">
        <p className="truncate text-xs font-semibold text-yellow-text">
          <Pencil aria-hidden size={12} className="mr-1 inline-block align-[-1px]" />
          Editando nota interna
        </p>
        <p className="truncate" dir="auto">
          {lineText(note.content)}
        </p>
      </div>
      <IconButton label="Cancelar edição" icon={X} size="sm" onClick={onCancel} />
    </div>
  )
}
