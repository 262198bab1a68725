import type { MessageType } from '#shared/conversations.ts'
import { kindIcons, kindLabel } from './kind.ts'

/** A message where one line must do: its kind as an icon, and its words or else the kind's name. */
export function KindWords({ message }: { message: { messageType: MessageType; content: string } }) {
  const { messageType, content } = message
  const Icon = kindIcons[messageType]
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
