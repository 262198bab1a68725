import type { ReactNode } from 'react'
import type { Message } from '#shared/messages.ts'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'

/** What the console cannot show: its name, whatever words came with it, and where it can be read. */
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

/** The gateway was given no content at all, which is how WhatsApp mostly keeps what may be seen once from it. */
function isEmpty({ gatewayType, isViewOnce }: Message['metadata']): boolean {
  return gatewayType === 'unknown' && !isViewOnce
}
