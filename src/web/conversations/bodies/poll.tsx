import { ChartNoAxesColumn, Circle, CircleCheck, Square, SquareCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { cut } from '#web/ui/cut.ts'
import { cardWidth } from './body-head.tsx'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { pollOptions } from './poll-options.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'

const sides = { contact: 'cliente', user: 'nós' }

/** A question, its options, and who has chosen which. */
export function Poll({ message, meta }: { message: Message; meta: ReactNode }) {
  const options = pollOptions(message)
  const selectable = message.metadata.poll?.selectable
  const isSingle = selectable === 1
  return (
    <div className={cardWidth}>
      <p dir="auto" className="font-medium">
        <RichText text={message.content} />
      </p>
      <p className="mt-0.5 flex items-center gap-1 text-xs text-ink-2">
        <ChartNoAxesColumn aria-hidden size={12} />
        {kindLabel('poll')}
        {selectable !== undefined && ` · ${isSingle ? 'Escolha uma' : 'Escolha uma ou mais'}`}
      </p>
      <ul className="mt-1.5 grid gap-1.5">
        {options.map(({ option, by }, index) => {
          const Mark = by.length === 0 ? (isSingle ? Circle : Square) : isSingle ? CircleCheck : SquareCheck
          return (
            // oxlint-disable-next-line react/no-array-index-key -- the options of a poll never move
            <li key={index} className="flex items-start gap-2">
              <Mark
                aria-hidden
                size={16}
                className={`mt-0.5 flex-none ${by.length > 0 ? 'text-accent-text' : 'text-ink-3'}`}
              />
              <span dir="auto" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                {cut(option)}
              </span>
              {by.map((side) => (
                <Badge key={side}>{sides[side]}</Badge>
              ))}
            </li>
          )
        })}
      </ul>
      <div className="flow-root">{meta}</div>
    </div>
  )
}
