import { MessageText } from '#simulator/page/chat/message-text.tsx'

/** Text above the choices the company offers. */
export function OfferText({
  title,
  description,
  footer,
}: {
  title: string
  description: string
  footer: string
}) {
  return (
    <>
      {title && (
        <span dir="auto" className="block font-medium">
          {title}
        </span>
      )}
      <MessageText text={description} />
      {footer && (
        <span dir="auto" className="block text-xs text-ink-2">
          {footer}
        </span>
      )}
    </>
  )
}
