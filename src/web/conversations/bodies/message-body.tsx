import { type ComponentType, createElement, type ReactNode } from 'react'
import { refusedExtensionOf } from '#shared/messages/media.ts'
import type { MessageType } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { erasedContent, expiredContent } from '#shared/erased.ts'
import { FileLine } from './file-line.tsx'
import { MediaBox } from './media-box.tsx'
import { PixKey } from './pix-key.tsx'
import { pollOptions } from './poll-options.ts'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { mediaAddress } from '#web/conversations/kinds/media-address.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { sharedContacts } from './shared-contacts.ts'
import { UnsupportedLine } from './unsupported-line.tsx'

interface BodyProps {
  message: Message
  /** Time and delivery mark; floats at the end of the last line. */
  meta: ReactNode
}

const bodies = {
  text: TextBody,
  image: MediaBox,
  video: MediaBox,
  sticker: MediaBox,
  audio: FileLine,
  document: FileLine,
  contact: ContactBody,
  location: LocationBody,
  poll: PollBody,
  call: TextBody,
  unsupported: UnsupportedLine,
  event: TextBody,
  note: TextBody,
  view_tracking: TextBody,
  warning_auto: TextBody,
  operator_initiated_warning: TextBody,
  queue_notification: TextBody,
  queue_position: TextBody,
  queue_welcome: TextBody,
} satisfies Record<MessageType, ComponentType<BodyProps>>

/** The content of a message, by its kind. A kind that only a newer server knows is shown as text. */
export function MessageBody(props: BodyProps) {
  const { metadata, fileUrl } = props.message
  if (metadata.isErased) return <GoneBody {...props} words={erasedContent} />
  if (metadata.isExpired && fileUrl === null) return <GoneBody {...props} words={expiredContent} />
  // A file that is not kept has nothing but its name.
  if (mediaAddress(props.message) === undefined && refusedExtensionOf(props.message))
    return <FileLine {...props} />
  const Body = (bodies as Partial<Record<MessageType, ComponentType<BodyProps>>>)[props.message.messageType]
  return Body ? <Body {...props} /> : <TextBody {...props} />
}

/** Only that there was a message is left. */
function GoneBody({ meta, words }: BodyProps & { words: string }) {
  return (
    <div>
      <span className="italic">{words}</span>
      {meta}
    </div>
  )
}

function TextBody({ message, meta }: BodyProps) {
  return (
    <div dir="auto">
      <RichText text={message.content} />
      <PixKey message={message} />
      {meta}
    </div>
  )
}

// A row without the metadata that its kind needs is shown by its name and its text.

const useContactCards = partInPlace(async () => (await import('./contact-cards.tsx')).ContactCards)

/** Shared contacts are rare: their code is loaded where there are some; until then the row has the names. */
function ContactBody({ message, meta }: BodyProps) {
  const contacts = sharedContacts(message)
  const cards = useContactCards(contacts.length > 0)
  if (cards) return createElement(cards, { contacts, meta })
  const content = contacts.map(({ name }) => name).join(', ') || message.content
  return <FileLine message={{ ...message, content }} meta={meta} />
}

const useLocationCard = partInPlace(async () => (await import('./location.tsx')).LocationCard)

/** As shared contacts are. */
function LocationBody(props: BodyProps) {
  const { location } = props.message.metadata
  const card = useLocationCard(location !== undefined)
  return card && location ? createElement(card, { ...props, location }) : <FileLine {...props} />
}

const usePoll = partInPlace(async () => (await import('./poll.tsx')).Poll)

/** And polls. */
function PollBody(props: BodyProps) {
  const poll = usePoll(pollOptions(props.message).length > 0)
  return poll ? createElement(poll, props) : <FileLine {...props} />
}
