import { ChevronDown, Copy, Reply } from 'lucide-react'
import { type Message, quickReactions } from '#shared/conversations.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuEmojis, MenuItem, MenuLine } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.ts'
import type { MessageActions } from './message-actions.ts'

/** What can be done with a message, beside it. */
export function MessageMenu({ message, actions }: { message: Message; actions: MessageActions }) {
  const { id, content, reactions, whatsappMessageId, deletedAt, senderType } = message
  const { onQuote, onReact } = actions
  const canReact = onReact !== undefined && whatsappMessageId !== null && deletedAt === null
  const isEmpty = !canReact && !onQuote && content === ''
  if (isEmpty) return null
  return (
    <Menu
      align={senderType === 'user' ? 'end' : 'start'}
      trigger={<IconButton label="Opções da mensagem" icon={ChevronDown} size="sm" />}
    >
      {canReact && (
        <>
          <MenuEmojis
            emojis={quickReactions}
            chosen={reactions.find(({ from }) => from === 'user')?.emoji}
            onChoose={(emoji) => onReact(id, emoji)}
          />
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
    </Menu>
  )
}

async function copyMessage(text: string): Promise<void> {
  if (await copyText(text)) toast({ title: 'Mensagem copiada' })
  else toast({ title: 'O navegador não deixou copiar', tone: 'error' })
}
