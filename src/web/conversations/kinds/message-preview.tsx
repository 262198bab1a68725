import { Ban } from 'lucide-react'
import { cut } from '#web/ui/cut.ts'
import { plainText } from '#web/ui/rich-text/plain-text.ts'
import type { MessageType } from '#shared/messages/message-kinds.ts'
import { goneContent } from '#shared/erased.ts'
import { kindLabel, lookOf } from './kinds.ts'

interface Said {
  messageType: MessageType
  content: string
  deletedAt?: string | null
}

/** A message on one line: the icon of its kind, and its text or else the name of its kind. */
export function MessagePreview({ message }: { message: Said }) {
  if (message.deletedAt) return <DeletedWords />
  const { messageType, content } = message
  const { icon: Icon } = lookOf(messageType)
  const label = kindLabel(messageType)
  // The icon needs no label if the text is the name already.
  const isInText = content === '' || content === label
  return (
    <>
      {Icon && (
        <Icon
          {...(isInText ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
          size={14}
          className="mr-1 inline-block align-[-2px]"
        />
      )}
      {lineText(content) || label || <span className="italic">{goneContent}</span>}
    </>
  )
}

/** A text on one line: its beginning, without the signs of its formatting. */
export const lineText = (content: string): string => cut(plainText(cut(content, mostRead)))
const mostRead = 1000

/** The text of a deleted message is shown in the timeline only. */
function DeletedWords() {
  return (
    <span className="italic">
      <Ban aria-hidden size={14} className="mr-1 inline-block align-[-2px]" />
      Mensagem apagada
    </span>
  )
}
