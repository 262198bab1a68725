import { List } from 'lucide-react'
import { useState } from 'react'
import type { By, RichOf } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { useSendMessage } from '#simulator/page/data/mutations.ts'
import { cn } from '#web/ui/cn.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { OfferButton } from './offer-button.tsx'
import { OfferText } from './offer-text.tsx'

/** A list sent by the company; its button opens the rows, and a click on one sends the client's reply. */
export function ListOffer({
  message: { id, phoneId, from },
  list: { title, description, footer, button, rows },
  by,
}: {
  message: ChatMessage
  list: RichOf<'list'>
  by: By
}) {
  const [isOpen, setIsOpen] = useState(false)
  const { send } = useSendMessage(phoneId, 'phone')
  function choose(row: (typeof rows)[number]) {
    const description = row.description ? { description: row.description } : {}
    send({ kind: 'listReply', title: row.title, rowId: row.rowId, ...description, quotedId: id })
    setIsOpen(false)
  }
  return (
    <div className="w-[190px] max-w-full">
      <OfferText title={title} description={description} footer={footer} />
      <OfferButton isDisabled={by !== 'phone' || from !== 'company'} onPress={() => setIsOpen(true)}>
        <List size={14} aria-hidden />
        {button}
      </OfferButton>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={button} className="md:max-w-[380px]">
        <ul className="-mx-2">
          {rows.map((row) => (
            <li key={row.rowId}>
              <button
                type="button"
                onClick={() => choose(row)}
                className={cn(
                  'grid min-h-10 w-full content-center rounded-control px-2 py-1.5 text-left text-sm',
                  'hover:bg-hover',
                )}
              >
                <span className="font-medium">{row.title}</span>
                {row.description && <span className="text-xs text-ink-2">{row.description}</span>}
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </div>
  )
}
