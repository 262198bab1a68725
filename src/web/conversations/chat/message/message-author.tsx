import { Smartphone, Sparkles } from 'lucide-react'
import type { Message } from '#shared/messages/messages.ts'
import { isSpecial } from '#web/conversations/kinds/kinds.ts'

const origins = {
  phone: 'enviada pelo celular',
  automatic: 'mensagem automática',
  assistant: 'IA',
  api: 'enviada pela API',
}

/** The author of a message, or its origin if no user wrote it. */
export function authorName(message: Message, contactName: string): string {
  if (message.senderType === 'contact') return contactName
  return message.senderName ?? sentence(originText(message))
}

/** 'IA, Aurora', with the name of the agent. */
function originText({ metadata: { origin = 'automatic', agentName } }: Message): string {
  return origin === 'assistant' && agentName ? `${origins.assistant}, ${agentName}` : origins[origin]
}

function sentence(words: string) {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Above the first bubble of a group of sent messages: the author or the origin. */
export function Author({ message }: { message: Message }) {
  if (message.senderType === 'contact' || isSpecial(message.messageType)) return null
  const { origin } = message.metadata
  const text = origin ? originText(message) : message.senderName
  if (!text) return null
  return (
    <div data-unsearched className="mx-1 mb-[3px] flex max-w-full items-center gap-[5px] text-xs text-ink-3">
      {origin === 'phone' && <Smartphone aria-hidden size={12} className="flex-none" />}
      {origin === 'assistant' && <Sparkles aria-hidden size={12} className="flex-none text-accent-text" />}
      <span className="truncate" title={text}>
        {text}
      </span>
    </div>
  )
}
