import type { ReactNode } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'

/** Content that the console cannot show: its name, any text that came with it, and where to read it. */
export function UnsupportedLine({ message, meta }: { message: Message; meta: ReactNode }) {
  const { content, messageType, metadata } = message
  const label = kindLabel(messageType, metadata)
  const isPlain = content === '' || content === kindLabel(messageType) || content === label
  return (
    <div>
      <span className="block text-ink-2 italic">{label}</span>
      {!isPlain && (
        <div dir="auto">
          <RichText text={content} />
        </div>
      )}
      <span className="text-xs text-ink-2">
        {isEmpty(metadata) && 'Pode ser de visualização única. '}
        Abra o WhatsApp no celular para ver.
      </span>
      {meta}
    </div>
  )
}

/** The gateway received no content at all, which is how WhatsApp usually withholds view-once messages. */
function isEmpty({ gatewayType, isViewOnce }: Message['metadata']): boolean {
  return gatewayType === 'unknown' && !isViewOnce
}
