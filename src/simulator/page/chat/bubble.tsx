import { useState } from 'react'
import type { PhoneView } from '#simulator/control-views.ts'
import { cn } from '#web/ui/cn.ts'
import { BubbleBody } from './bubble-body.tsx'
import { BubbleMenu } from './bubble-menu.tsx'
import { BubbleNotes } from './bubble-notes.tsx'
import type { ChatRow } from './chat-days.ts'
import type { MessageActions } from './message-actions.ts'
import { kindLabels } from './kind-names.ts'

const framed = new Set(['image', 'video', 'sticker', 'location'])

/** The element id of a message's bubble. */
export function bubbleId(messageId: string) {
  return `bubble-${messageId}`
}

/** One message; the phone's own are at the right. */
export function Bubble({
  row: { message, startsGroup, endsGroup },
  phone,
  companyName,
  actions,
}: {
  row: ChatRow
  phone: PhoneView
  companyName: string
  actions: MessageActions
}) {
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const isOwn = message.from === 'phone'
  const hasReactions = message.reactions.length > 0 && !message.deleted
  const isFramed = framed.has(message.kind) && !message.deleted
  return (
    <div
      id={bubbleId(message.id)}
      className={cn(
        'group relative max-w-[86%]',
        startsGroup ? 'mt-1.5' : 'mt-0.5',
        isOwn ? 'self-end' : 'self-start',
        hasReactions && 'mb-3.5',
      )}
      onContextMenu={(event) => {
        if (message.deleted) return
        event.preventDefault()
        setIsMenuOpen(true)
      }}
    >
      <div
        className={cn(
          'relative flow-root min-w-0 rounded-bubble border text-sm wrap-anywhere shadow-bubble',
          isFramed ? 'px-[3px] pt-[3px] pb-[5px]' : 'px-[9px] pt-1.5 pb-[5px]',
          isOwn ? 'border-own-line bg-own' : 'border-line bg-surface',
          endsGroup && (isOwn ? 'rounded-br-[4px]' : 'rounded-bl-[4px]'),
        )}
      >
        {message.quoted && !message.deleted && (
          <blockquote
            className={cn(
              'mb-1.5 block rounded-[6px] border-l-[3px] border-accent bg-ink/5 px-[9px] py-[5px] text-ink-2',
              !isFramed && '-mx-[3px]',
            )}
          >
            <span className="block truncate text-xs font-semibold text-accent-text">
              {message.quoted.from === 'phone' ? 'Você' : companyName}
            </span>
            <span dir="auto" className="line-clamp-3">
              {message.quoted.text || kindLabels[message.quoted.kind]}
            </span>
          </blockquote>
        )}
        {!message.deleted && <BubbleNotes message={message} />}
        <BubbleBody message={message} by={actions.by} />
        {hasReactions && <Reactions emojis={message.reactions.map(({ emoji }) => emoji)} />}
      </div>
      {!message.deleted && (
        <BubbleMenu
          message={message}
          phoneId={phone.id}
          actions={actions}
          isOpen={isMenuOpen}
          onOpenChange={setIsMenuOpen}
        />
      )}
    </div>
  )
}

function Reactions({ emojis }: { emojis: string[] }) {
  return (
    <span
      role="img"
      aria-label={`Reações: ${emojis.join(' ')}`}
      className={cn(
        'absolute -bottom-[13px] left-2.5 flex h-5 items-center gap-1 rounded-full border border-line',
        'bg-surface px-1.5 text-xs',
      )}
    >
      {[...new Set(emojis)].join(' ')}
      {emojis.length > 1 && <span className="text-ink-2 tabular-nums">{emojis.length}</span>}
    </span>
  )
}
