import type { By, RichOf } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { useSendMessage } from '#simulator/page/data/mutations.ts'
import { OfferButton } from './offer-button.tsx'
import { OfferText } from './offer-text.tsx'

/** Buttons sent by the company; a click sends the client's reply. */
export function ButtonsOffer({
  message: { id, phoneId, from },
  offer: { title, description, footer, buttons },
  by,
}: {
  message: ChatMessage
  offer: RichOf<'buttons'>
  by: By
}) {
  const { send } = useSendMessage(phoneId, 'phone')
  return (
    <div className="w-[190px] max-w-full">
      <OfferText title={title} description={description} footer={footer} />
      {buttons.map(({ id: buttonId, text }) => (
        <OfferButton
          key={buttonId}
          isDisabled={by !== 'phone' || from !== 'company'}
          onPress={() => send({ kind: 'buttonReply', text, buttonId, quotedId: id })}
        >
          {text}
        </OfferButton>
      ))}
    </div>
  )
}
