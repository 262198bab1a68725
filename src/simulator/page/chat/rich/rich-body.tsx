import { CircleDotDashed, MessageCircleQuestionMark, Reply, type LucideIcon } from 'lucide-react'
import type { By, Rich } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { ContactCards } from './contact-cards.tsx'
import { GroupInvite } from './group-invite.tsx'
import { kindName } from '#simulator/page/chat/kind-names.ts'
import { Poll } from './poll.tsx'
import { ShopCard } from './shop-card.tsx'
import { MessageText } from '#simulator/page/chat/message-text.tsx'

/** A message beyond text, media and location. An unknown kind is one line with its name. */
export function RichBody({ message, rich, by }: { message: ChatMessage; rich: Rich; by: By }) {
  switch (rich.kind) {
    case 'contact':
      return <ContactCards contacts={rich.contacts} />
    case 'poll':
      return <Poll message={message} poll={rich} by={by} />
    case 'order':
    case 'product':
      return <ShopCard item={rich} />
    case 'groupInvite':
      return <GroupInvite invite={rich} />
    case 'listReply':
      return <Answer message={message} text={rich.title} more={rich.description} />
    case 'buttonReply':
    case 'templateReply':
    case 'interactiveReply':
      return <Answer message={message} text={rich.text} />
    case 'viewOncePlaceholder':
      return <Line icon={CircleDotDashed}>{kindName(message)}</Line>
    default:
      return (
        <Line icon={MessageCircleQuestionMark}>
          {kindName(message)}
          {rich.kind === 'unknown' && <span className="text-ink-3"> ({rich.messageType})</span>}
        </Line>
      )
  }
}

function Answer({ message, text, more }: { message: ChatMessage; text: string; more?: string | undefined }) {
  return (
    <>
      <span className="flex items-center gap-1 text-xs text-ink-2">
        <Reply size={12} aria-hidden />
        {kindName(message)}
      </span>
      <MessageText text={text} />
      {more && (
        <span dir="auto" className="block text-xs text-ink-2">
          {more}
        </span>
      )}
    </>
  )
}

function Line({ icon: Icon, children }: { icon: LucideIcon; children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-ink-2">
      <Icon size={14} aria-hidden className="shrink-0" />
      <span>{children}</span>
    </span>
  )
}
