import type { ReactNode } from 'react'
import type { Message } from '#shared/conversations.ts'
import { ContactCards } from './contact-cards.tsx'
import { FileLine } from './file-line.tsx'
import { MediaBox } from './media-box.tsx'
import { Place } from './place.tsx'
import { Poll } from './poll.tsx'
import { pollOptions } from './poll-options.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { sharedContacts } from './shared-contacts.ts'
import { UnsupportedLine } from './unsupported-line.tsx'

/**
 * What a message says, by its kind. `meta` floats at the end of the last line. A row that lacks what its kind needs is
 * shown by its name and its words.
 */
export function MessageBody({ message, meta }: { message: Message; meta: ReactNode }) {
  switch (message.messageType) {
    case 'image':
    case 'video':
    case 'sticker':
      return <MediaBox message={message} meta={meta} />
    case 'contact': {
      const contacts = sharedContacts(message)
      if (contacts.length === 0) return <FileLine message={message} meta={meta} />
      return <ContactCards contacts={contacts} meta={meta} />
    }
    case 'location': {
      const { location } = message.metadata
      if (!location) return <FileLine message={message} meta={meta} />
      return <Place message={message} location={location} meta={meta} />
    }
    case 'poll':
      if (pollOptions(message).length === 0) return <FileLine message={message} meta={meta} />
      return <Poll message={message} meta={meta} />
    case 'audio':
    case 'document':
      return <FileLine message={message} meta={meta} />
    case 'unsupported':
      return <UnsupportedLine message={message} meta={meta} />
    default:
      return (
        <div dir="auto">
          <RichText text={message.content} />
          {meta}
        </div>
      )
  }
}
