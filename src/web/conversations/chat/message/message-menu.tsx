import { ChevronDown, Copy, Forward, Info, MessageSquareQuote, Reply, SmilePlus } from 'lucide-react'
import { useState } from 'react'
import { isForwardable } from '#shared/messages/message-changes.ts'
import { type Message, quickReactions } from '#shared/messages/messages.ts'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu, MenuEmojis, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { EmojiPopover } from '#web/conversations/emoji/emoji-popover.tsx'
import { ChangeItems } from './change-items.tsx'
import type { MessageActions } from './message-item.ts'

/** The menu of actions beside a message. */
export function MessageMenu({
  message,
  actions,
  isOpen,
  onOpenChange,
}: {
  message: Message
  actions: MessageActions
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) {
  const { id, content, reactions, whatsappMessageId, deletedAt, senderType } = message
  const { onQuote, onReact, onForward, onDetails, onKeep } = actions
  const canReact = onReact !== undefined && whatsappMessageId !== null && deletedAt === null
  const canChange = actions.onDelete !== undefined && senderType === 'user' && deletedAt === null
  const [isPicking, setPicking] = useState(false)
  const menu = (
    <Menu
      align={senderType === 'user' ? 'end' : 'start'}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={<IconButton label="Opções da mensagem" icon={ChevronDown} size="sm" />}
    >
      {canReact && (
        <>
          <MenuEmojis
            emojis={quickReactions}
            chosen={reactions.find(({ from }) => from === 'user')?.emoji}
            onChoose={(emoji) => onReact(id, emoji)}
          />
          <MenuItem icon={SmilePlus} leadsElsewhere onSelect={() => setPicking(true)}>
            Outra reação
          </MenuItem>
          <MenuLine />
        </>
      )}
      {onQuote && (
        <MenuItem icon={Reply} leadsElsewhere onSelect={() => onQuote(message)}>
          Responder
        </MenuItem>
      )}
      {content !== '' && (
        <MenuItem icon={Copy} onSelect={() => void copyMessage(content)}>
          Copiar
        </MenuItem>
      )}
      {onKeep && senderType === 'user' && content !== '' && deletedAt === null && (
        <MenuItem icon={MessageSquareQuote} leadsElsewhere onSelect={() => onKeep(message)}>
          Salvar como resposta rápida
        </MenuItem>
      )}
      {onForward && isForwardable(message) && (
        <MenuItem icon={Forward} leadsElsewhere onSelect={() => onForward(message)}>
          Encaminhar
        </MenuItem>
      )}
      {onDetails && (
        <MenuItem icon={Info} leadsElsewhere onSelect={() => onDetails(message)}>
          Dados da mensagem
        </MenuItem>
      )}
      {canChange && <ChangeItems message={message} actions={actions} />}
    </Menu>
  )
  // The same element before and after it is sent; otherwise an open menu would close.
  return (
    <EmojiPopover
      anchor={<span className="flex">{menu}</span>}
      isOpen={isPicking && canReact}
      onOpenChange={setPicking}
      onChoose={(emoji) => onReact?.(id, emoji)}
    />
  )
}

async function copyMessage(text: string): Promise<void> {
  if (await copyText(text)) toast({ title: 'Mensagem copiada' })
  else toast({ title: 'O navegador não deixou copiar', tone: 'error' })
}
