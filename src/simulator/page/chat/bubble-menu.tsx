import { ChevronDown, Copy, Pencil, Pin, PinOff, Reply, Trash2, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { By } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { simulatorApi } from '#simulator/page/api.ts'
import { menuItemLook, menuLineLook, menuLook } from '#simulator/page/menu-look.ts'
import { useAct } from '#simulator/page/mutations.ts'
import { cn } from '#web/ui/cn.ts'
import { toast } from '#web/ui/toast.ts'
import { canEdit, isOwnMessage, type MessageActs } from './message-acts.ts'

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
  const { by } = acts
  const { id: messageId, pinned: isPinned = false } = message
  const isAtRight = message.from === 'phone'
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange} modal={false}>
      <Radix.Trigger asChild>
        <button
          type="button"
          aria-label="Opções da mensagem"
          className={cn(
            'absolute top-1/2 grid size-6 -translate-y-1/2 place-items-center rounded-full border border-line bg-surface text-ink-2 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:border-transparent pointer-coarse:bg-transparent pointer-coarse:text-ink-3 pointer-coarse:opacity-100',
            isAtRight ? '-left-7' : '-right-7',
          )}
        >
          <ChevronDown size={14} aria-hidden />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={menuLook}
          align={isAtRight ? 'start' : 'end'}
          sideOffset={4}
          collisionPadding={8}
          // Replying and editing lead to the composer; what closes must not take the focus back.
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <Emojis
            message={message}
            by={by}
            onChoose={(emoji) => act(() => simulatorApi.react(phoneId, { messageId, emoji, by }))}
          />
          <Radix.Separator className={menuLineLook} />
          <Item icon={Reply} onSelect={() => acts.onReply(message)}>
            Responder
          </Item>
          {message.text !== '' && (
            <Item icon={Copy} onSelect={() => void copy(message.text)}>
              Copiar
            </Item>
          )}
          {canEdit(message, by) && (
            <Item icon={Pencil} onSelect={() => acts.onEdit(message)}>
              Editar
            </Item>
          )}
          <Item
            icon={isPinned ? PinOff : Pin}
            onSelect={() => act(() => simulatorApi.pin(phoneId, { messageId, pinned: !isPinned, by }))}
          >
            {isPinned ? 'Desafixar' : 'Fixar'}
          </Item>
          {isOwnMessage(message, by) && (
            <Item
              icon={Trash2}
              isDanger
              onSelect={() => act(() => simulatorApi.remove(phoneId, messageId, by))}
            >
              Apagar para todos
            </Item>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Item({
  icon: Icon,
  isDanger = false,
  onSelect,
  children,
}: {
  icon: LucideIcon
  isDanger?: boolean
  onSelect: () => void
  children: string
}) {
  return (
    <Radix.Item className={cn(menuItemLook, isDanger && 'text-red-text')} onSelect={onSelect}>
      <Icon size={16} aria-hidden className={cn(!isDanger && 'text-ink-2')} />
      {children}
    </Radix.Item>
  )
}

function Emojis({
  message,
  by,
  onChoose,
}: {
  message: ChatMessage
  by: By
  onChoose: (emoji: string) => void
}) {
  const side = by === 'phone' ? 'phone' : 'company'
  const mine = message.reactions.find(({ from }) => from === side)?.emoji
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
