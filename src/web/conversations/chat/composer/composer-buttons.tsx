import { Check, Paperclip, Send as SendIcon, SmilePlus } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { pickerExtensions } from '#shared/messages/media.ts'
import { useCommands } from '#web/platform/commands.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { EmojiPopover } from '#web/conversations/emoji/emoji-popover.tsx'
import type { QuickReply } from './quick-replies.ts'

export function QuickReplyButtons({
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
      className="mb-2 flex min-w-0 gap-1.5 overflow-x-auto p-0.5 [scrollbar-width:none] short:hidden"
    >
      {replies.map((reply) => (
        <button
          key={reply.shortcut}
          type="button"
          title={reply.text}
          onClick={() => onUse(reply)}
          className={[
            'h-7 flex-none rounded-full border border-line-strong bg-surface',
            'px-3 text-xs font-medium text-ink-2 hover:bg-hover hover:text-ink',
          ].join(' ')}
        >
          {reply.label}
        </button>
      ))}
    </div>
  )
}

/** Inserts emojis at the cursor. */
export function EmojiButton({
  field,
  onChoose,
}: {
  field: RefObject<HTMLTextAreaElement | null>
  /** @param isMore whether the picker stays open and keeps the focus */
  onChoose: (emoji: string, isMore: boolean) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <EmojiPopover
      trigger={<IconButton label="Emojis" icon={SmilePlus} />}
      isOpen={isOpen}
      onOpenChange={setOpen}
      onClosed={() => field.current?.focus()}
      isForMany
      onChoose={onChoose}
    />
  )
}

/** Opens the browser's file dialog. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const label = 'Anexar arquivo'
  const run = () => input.current?.click()
  useCommands([{ id: 'chat attach', group: 'Esta conversa', label, icon: Paperclip, letter: 'X', run }])
  return (
    <>
      <IconButton label={label} icon={Paperclip} aria-keyshortcuts="Alt+X" onClick={run} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={pickerExtensions}
        aria-label="Arquivos"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Allows choosing the same file again.
          event.target.value = ''
        }}
      />
    </>
  )
}

export function SaveButton() {
  return (
    <button
      type="submit"
      aria-label="Salvar edição"
      title="Salvar edição"
      className={[
        'grid size-8 flex-none place-items-center rounded-[7px]',
        'bg-accent text-accent-ink hover:bg-accent-hover',
      ].join(' ')}
    >
      <Check aria-hidden size={16} />
    </button>
  )
}

export function SendButton({ isOff }: { isOff: boolean }) {
  return (
    <button
      type="submit"
      aria-label="Enviar"
      title="Enviar"
      disabled={isOff}
      className={[
        'grid size-8 flex-none place-items-center rounded-[7px] bg-accent',
        'text-accent-ink hover:bg-accent-hover disabled:bg-sunken disabled:text-ink-3',
      ].join(' ')}
    >
      <SendIcon aria-hidden size={16} />
    </button>
  )
}
