import { ChevronDown, Copy, Pencil, Reply, Trash2 } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ChatMessage } from '#simulator/control-views.ts'
import { simulatorApi } from '#simulator/page/api.ts'
import { menuItemLook, menuLineLook, menuLook } from '#simulator/page/menu-look.ts'
import { useAct } from '#simulator/page/mutations.ts'
import { cn } from '#web/ui/cn.ts'
import { toast } from '#web/ui/toast.ts'
import type { MessageActs } from './message-acts.ts'

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Mensagem copiada' })
  } catch {
    toast({ title: 'O navegador não deixou copiar', tone: 'error' })
  }
}

/** What one can do with a message. Shown on hover, on focus and where there is no hovering. */
export function BubbleMenu({
  message,
  phoneId,
  acts,
  isOpen,
  onOpenChange,
}: {
  message: ChatMessage
  phoneId: string
  acts: MessageActs
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) {
  const { act } = useAct()
  const isOwn = message.from === 'phone'
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange} modal={false}>
      <Radix.Trigger asChild>
        <button
          type="button"
          aria-label="Opções da mensagem"
          className={cn(
            'absolute top-1/2 grid size-6 -translate-y-1/2 place-items-center rounded-full border border-line bg-surface text-ink-2 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:border-transparent pointer-coarse:bg-transparent pointer-coarse:text-ink-3 pointer-coarse:opacity-100',
            isOwn ? '-left-7' : '-right-7',
          )}
        >
          <ChevronDown size={14} aria-hidden />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={menuLook}
          align={isOwn ? 'start' : 'end'}
          sideOffset={4}
          collisionPadding={8}
          // Replying and editing lead to the composer; what closes must not take the focus back.
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <Emojis
            message={message}
            onChoose={(emoji) => act(() => simulatorApi.react(phoneId, { messageId: message.id, emoji }))}
          />
          <Radix.Separator className={menuLineLook} />
          <Radix.Item className={menuItemLook} onSelect={() => acts.onReply(message)}>
            <Reply size={16} aria-hidden className="text-ink-2" />
            Responder
          </Radix.Item>
          {message.text !== '' && (
            <Radix.Item className={menuItemLook} onSelect={() => void copy(message.text)}>
              <Copy size={16} aria-hidden className="text-ink-2" />
              Copiar
            </Radix.Item>
          )}
          {isOwn && message.kind === 'text' && (
            <Radix.Item className={menuItemLook} onSelect={() => acts.onEdit(message)}>
              <Pencil size={16} aria-hidden className="text-ink-2" />
              Editar
            </Radix.Item>
          )}
          {isOwn && (
            <Radix.Item
              className={cn(menuItemLook, 'text-red-text')}
              onSelect={() => act(() => simulatorApi.remove(phoneId, message.id))}
            >
              <Trash2 size={16} aria-hidden />
              Apagar
            </Radix.Item>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Emojis({ message, onChoose }: { message: ChatMessage; onChoose: (emoji: string) => void }) {
  const mine = message.reactions.find(({ from }) => from === 'phone')?.emoji
  return (
    <Radix.Group aria-label="Reagir" className="flex gap-0.5">
      {emojis.map((emoji) => {
        const isMine = emoji === mine
        return (
          <Radix.Item
            key={emoji}
            aria-label={isMine ? `Retirar a reação ${emoji}` : `Reagir com ${emoji}`}
            onSelect={() => onChoose(isMine ? '' : emoji)}
            className={cn(
              'grid size-8 cursor-pointer place-items-center rounded-[7px] text-lg outline-none data-[highlighted]:bg-hover',
              isMine && 'bg-selected',
            )}
          >
            {emoji}
          </Radix.Item>
        )
      })}
    </Radix.Group>
  )
}
