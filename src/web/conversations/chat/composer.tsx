import { Mic, Paperclip, Send as SendIcon, X } from 'lucide-react'
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { maxTextLength, type Message } from '#shared/conversations.ts'
import { pickerExtensions } from '#shared/media.ts'
import { forgottenIn, type TemplateValues } from '#shared/template.ts'
import type { Me } from '#shared/users.ts'
import { type Recorded, type RecorderTrouble, useRecorder } from '#web/media/media.tsx'
import { serverNow } from '#web/platform/server-clock.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/toast.ts'
import { type Attachment, AttachmentsDialog } from '../attach/attachments-dialog.tsx'
import { KindWords } from '../kinds/kind-words.tsx'
import { useSendMessage } from '../mutations.ts'
import { type Chat, chatKey, composedNow, type Send } from '../sends.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { newClientMessageId } from './new-client-message-id.ts'
import type { QuickReply } from './quick-replies.ts'
import { QuickReplyList } from './quick-reply-list.tsx'
import { sayMissing, useQuickReplies } from './use-quick-replies.ts'
import { VoiceBar } from './voice-bar.tsx'

/** A second Enter within this time is a slip of the finger. @see specification §5 Send message */
const slipMs = 300
const mostLinesPx = 8 * 20 + 12

interface ComposerProps {
  chat: Chat
  contactName: string
  /** What a quick reply may speak of here. */
  values: TemplateValues
  me: Me
  quoted: Message | undefined
  onQuoteDone: () => void
  field: RefObject<HTMLTextAreaElement | null>
  attachments: readonly Attachment[]
  onFiles: (files: readonly File[]) => void
  onAttachments: (attachments: Attachment[]) => void
}

/** Writes a reply. What is sent leaves at once; what is typed and not sent is kept for the conversation. */
export function Composer(props: ComposerProps) {
  const { contactName, quoted, onQuoteDone, field, attachments, onFiles, onAttachments } = props
  const { text, write, insert, submit, submitFiles, submitVoice } = useReply(props)
  const quick = useQuickReplies({ text, values: props.values, insert })
  const recorder = useRecorder(sayTrouble)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter picks a word; Safari says so only by 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (!event.shiftKey && quick.onKey(event)) {
      event.preventDefault()
      // Esc leaves the list, and nothing else with it.
      return event.stopPropagation()
    }
    if (event.key === 'Escape' && quoted) onQuoteDone()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat) submit()
  }
  return (
    <footer className="relative flex-none border-t border-line bg-surface px-2 pt-2 pb-2.5 md:px-3 md:pb-3">
      {quick.list && <QuickReplyList {...quick.list} onUse={(reply) => quick.choose(reply, true)} />}
      <QuickReplyButtons replies={quick.buttons} onUse={(reply) => quick.choose(reply, false)} />
      {quoted && <QuotePreview quoted={quoted} name={contactName} onCancel={onQuoteDone} />}
      {recorder.state.kind !== 'idle' && (
        <VoiceBar
          state={recorder.state}
          level={recorder.level}
          onPause={recorder.pause}
          onResume={recorder.resume}
          onFinish={recorder.finish}
          onDiscard={recorder.discard}
          onSend={(recorded) => {
            submitVoice(recorded)
            recorder.clear()
          }}
        />
      )}
      <form
        hidden={recorder.state.kind !== 'idle'}
        className="flex items-end gap-0.5 rounded-card border border-field bg-surface p-[3px] focus-within:border-transparent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <AttachButton onFiles={onFiles} />
        <textarea
          {...quick.field}
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          maxLength={maxTextLength}
          aria-label="Mensagem"
          placeholder="Digite sua mensagem..."
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = [...event.clipboardData.files]
            if (files.length === 0) return
            event.preventDefault()
            onFiles(files)
          }}
          className="min-h-8 min-w-0 flex-1 resize-none bg-transparent px-2 py-1.5 text-base outline-none placeholder:text-ink-3"
        />
        {text.trim() === '' && (
          <IconButton label="Gravar voz" icon={Mic} onClick={() => void recorder.start()} />
        )}
        <SendButton isOff={text.trim() === ''} />
      </form>
      <AttachmentsDialog
        attachments={attachments}
        onAdd={onFiles}
        onChange={onAttachments}
        onSend={submitFiles}
      />
    </footer>
  )
}

const troubles: Record<RecorderTrouble, string> = {
  insecure: 'O navegador só empresta o microfone a páginas com HTTPS.',
  denied: 'Permita o uso do microfone no navegador e tente novamente.',
  no_microphone: 'Nenhum microfone foi encontrado.',
}

function sayTrouble(trouble: RecorderTrouble): void {
  toast({ tone: 'error', title: 'Não foi possível gravar', description: troubles[trouble] })
}

function QuickReplyButtons({
  replies,
  onUse,
}: {
  replies: readonly QuickReply[]
  onUse: (reply: QuickReply) => void
}) {
  if (replies.length === 0) return null
  return (
    <div
      role="group"
      aria-label="Respostas rápidas"
      className="mb-2 flex gap-1.5 overflow-x-auto p-0.5 [scrollbar-width:none]"
    >
      {replies.map((reply) => (
        <button
          key={reply.shortcut}
          type="button"
          title={reply.text}
          onClick={() => onUse(reply)}
          className="h-7 flex-none rounded-full border border-line-strong bg-surface px-3 text-xs font-medium text-ink-2 hover:bg-hover hover:text-ink"
        >
          {reply.label}
        </button>
      ))}
    </div>
  )
}

/** Opens the browser's own dialog for files. */
function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label="Anexar arquivo" icon={Paperclip} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={pickerExtensions}
        aria-label="Arquivos"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // The same file may be chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}

function SendButton({ isOff }: { isOff: boolean }) {
  return (
    <button
      type="submit"
      aria-label="Enviar"
      title="Enviar"
      disabled={isOff}
      className="grid size-8 flex-none place-items-center rounded-[7px] bg-accent text-accent-ink hover:bg-accent-hover disabled:bg-sunken disabled:text-ink-3"
    >
      <SendIcon aria-hidden size={16} />
    </button>
  )
}

/** The text that is being written, kept as a draft, and the way it leaves. */
function useReply(props: ComposerProps) {
  const { chat, me, quoted, onQuoteDone, field, attachments, onAttachments } = props
  const [text, setText] = useState(() => readDraft(me.id, chatKey(chat)))
  const send = useSendMessage(chat)
  const lastSentAt = useRef(-Infinity)
  useGrowing(field, text)

  const write = (next: string) => {
    setText(next)
    keepDraft(me.id, chatKey(chat), next)
  }
  const compose = (content: string, isFirst: boolean): Send => ({
    userId: me.id,
    userName: me.name,
    ...chat,
    clientMessageId: newClientMessageId(),
    content,
    quoted: quoted && isFirst ? quoteOf(quoted) : null,
    composedAtMs: composedNow(serverNow()),
  })
  /** Where the cursor stands, or in the place of all; the cursor comes to stand behind it. */
  const insert = (piece: string, isWhole: boolean) => {
    const element = field.current
    const [from, to] = isWhole || !element ? [0, text.length] : [element.selectionStart, element.selectionEnd]
    const next = (text.slice(0, from) + piece + text.slice(to)).slice(0, maxTextLength)
    flushSync(() => write(next))
    element?.focus()
    element?.setSelectionRange(from + piece.length, from + piece.length)
  }
  const submit = () => {
    const content = text.trim()
    field.current?.focus()
    const missing = forgottenIn(content)
    if (missing.length > 0) return sayMissing(missing)
    if (content === '' || performance.now() - lastSentAt.current < slipMs) return
    lastSentAt.current = performance.now()
    send(compose(content, true))
    write('')
    onQuoteDone()
  }
  /** Each file is a message of its own, in the order in which they were chosen; the first one answers what is quoted. */
  const submitFiles = () => {
    for (const [index, { caption, key: _key, ...file }] of attachments.entries())
      send({ ...compose(caption.trim(), index === 0), file })
    onAttachments([])
    onQuoteDone()
    field.current?.focus()
  }
  const submitVoice = ({ file, url, seconds }: Recorded) => {
    send({ ...compose('', true), file: { file, url, seconds, messageType: 'audio', isVoice: true } })
    onQuoteDone()
    field.current?.focus()
  }
  return { text, write, insert, submit, submitFiles, submitVoice }
}

function quoteOf(message: Message) {
  const { id, conversationId, senderType, messageType, content } = message
  return { messageId: id, conversationId, senderType, messageType, content }
}

/** Grows with the text up to eight lines, then scrolls. */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (field.current) fit(field.current)
  }, [field, text])
}

function fit(element: HTMLTextAreaElement): void {
  element.style.height = 'auto'
  element.style.height = `${Math.min(element.scrollHeight, mostLinesPx)}px`
  element.style.overflowY = element.scrollHeight > mostLinesPx ? 'auto' : 'hidden'
}

function QuotePreview({ quoted, name, onCancel }: { quoted: Message; name: string; onCancel: () => void }) {
  return (
    <div className="mb-2 flex items-center gap-2 rounded-[6px] border-l-[3px] border-accent bg-ink/5 py-1 pr-1 pl-2.5">
      <div className="min-w-0 flex-1 text-sm text-ink-2">
        <p className="truncate text-xs font-semibold text-accent-text">
          Respondendo a {quoted.senderType === 'contact' ? name : 'Você'}
        </p>
        <p className="truncate" dir="auto">
          <KindWords message={quoted} />
        </p>
      </div>
      <IconButton label="Cancelar resposta" icon={X} size="sm" onClick={onCancel} />
    </div>
  )
}
