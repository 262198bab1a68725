import { Ban } from 'lucide-react'
import type { MessageType } from '#shared/message-kinds.ts'
import { kindLabel, lookOf } from './kinds.ts'

interface Said {
  messageType: MessageType
  content: string
  deletedAt?: string | null
}

/** A message where one line must do: its kind as an icon, and its words or else the kind's name. */
export function KindWords({ message }: { message: Said }) {
  if (message.deletedAt) return <DeletedWords />
  const { messageType, content } = message
  const { icon: Icon } = lookOf(messageType)
  const label = kindLabel(messageType)
  // What the words already say is not said twice.
  const isSaid = content === '' || content === label
  return (
    <>
      {Icon && (
        <Icon
          {...(isSaid ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
          size={14}
          className="mr-1 inline-block align-[-2px]"
        />
      )}
      {content || label}
    </>
  )
}

/** What it said stands in the timeline alone. */
function DeletedWords() {
  return (
    <span className="italic">
      <Ban aria-hidden size={14} className="mr-1 inline-block align-[-2px]" />
      Mensagem apagada
    </span>
  )
}
