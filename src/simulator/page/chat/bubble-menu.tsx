import { ChevronDown, Copy, Pencil, Pin, PinOff, Reply, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { quickReactions } from '#shared/messages/messages.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { cn } from '#web/ui/cn.ts'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { menuLineLook } from '#web/ui/overlays/menu-look.ts'
import { Menu, MenuEmojis, MenuItem } from '#web/ui/overlays/menu.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { canEdit, isOwnMessage, type MessageActions } from './message-actions.ts'

async function copyMessage(text: string): Promise<void> {
  if (await copyText(text)) toast({ title: 'Mensagem copiada' })
  else toast({ title: 'O navegador não deixou copiar', tone: 'error' })
}

/** The actions on a message. Visible on hover, on focus, and always on touch screens. */
export function BubbleMenu({
  message,
  phoneId,
  actions,
  isOpen,
  onOpenChange,
}: {
  message: ChatMessage
  phoneId: string
  actions: MessageActions
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) {
  const { run } = useAction()
  const { by } = actions
  const { id: messageId, pinned: isPinned = false } = message
  const isAtRight = message.from === 'phone'
  const side = by === 'phone' ? 'phone' : 'company'
  return (
    <Menu
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      align={isAtRight ? 'start' : 'end'}
      trigger={
        <button
          type="button"
          aria-label="Opções da mensagem"
          className={cn(
            'absolute top-1/2 grid size-6 -translate-y-1/2 place-items-center rounded-full border',
            'border-line bg-surface text-ink-2 opacity-0 group-focus-within:opacity-100',
            'group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:border-transparent',
            'pointer-coarse:bg-transparent pointer-coarse:text-ink-3 pointer-coarse:opacity-100',
            isAtRight ? '-left-7' : '-right-7',
          )}
        >
          <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      <MenuEmojis
        emojis={quickReactions}
        chosen={message.reactions.find(({ from }) => from === side)?.emoji}
        onChoose={(emoji) => run(() => simulatorApi.react(phoneId, { messageId, emoji, by }))}
      />
      <DropdownMenu.Separator className={menuLineLook} />
      <MenuItem icon={Reply} leadsElsewhere onSelect={() => actions.onReply(message)}>
        Responder
      </MenuItem>
      {message.text !== '' && (
        <MenuItem icon={Copy} onSelect={() => void copyMessage(message.text)}>
          Copiar
        </MenuItem>
      )}
      {canEdit(message, by) && (
        <MenuItem icon={Pencil} leadsElsewhere onSelect={() => actions.onEdit(message)}>
          Editar
        </MenuItem>
      )}
      <MenuItem
        icon={isPinned ? PinOff : Pin}
        onSelect={() => run(() => simulatorApi.pin(phoneId, { messageId, pinned: !isPinned, by }))}
      >
        {isPinned ? 'Desafixar' : 'Fixar'}
      </MenuItem>
      {isOwnMessage(message, by) && (
        <MenuItem
          icon={Trash2}
          isDanger
          onSelect={() => run(() => simulatorApi.remove(phoneId, messageId, by))}
        >
          Apagar para todos
        </MenuItem>
      )}
    </Menu>
  )
}
