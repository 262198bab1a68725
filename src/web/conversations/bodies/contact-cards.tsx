import { MessageCirclePlus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SharedContact } from '#shared/messages/message-metadata.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cut } from '#web/ui/cut.ts'
import { cardWidth } from './body-head.tsx'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { SafeLink } from '#web/ui/rich-text/rich-text.tsx'
import { useStartChat } from '#web/contacts/contacts.tsx'
import { mailAddress, phoneOf, startablePhone } from './shared-contacts.ts'

/** Of many cards and numbers, how many are shown at first, and with each press. */
const shownAtFirst = 5
const shownMore = 20

/** Shared contact cards; the first few of many, and more on demand. */
export function ContactCards({
  contacts,
  meta,
  isPreview = false,
}: {
  contacts: readonly SharedContact[]
  meta: ReactNode
  /** Without buttons that start a conversation. */
  isPreview?: boolean
}) {
  const [shown, more] = useFirst(contacts)
  return (
    <div className={cardWidth}>
      <ul aria-label="Contatos compartilhados" className="grid gap-2">
        {shown.map((contact, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the cards of one message never move
          <li key={index} className="flex gap-2.5 not-first:border-t not-first:border-ink/10 not-first:pt-2">
            <Card contact={contact} isPreview={isPreview} />
          </li>
        ))}
      </ul>
      <div className="flow-root">
        {more && (
          <button type="button" className={`mt-1.5 ${moreLook}`} onClick={more.show}>
            mais {more.count}
          </button>
        )}
        {meta}
      </div>
    </div>
  )
}

const moreLook = 'md:min-h-6 text-sm font-semibold text-accent-text'

/** The first of many, and how to show more of them; undefined when these are all. */
function useFirst<One>(all: readonly One[]) {
  const [most, setMost] = useState(shownAtFirst)
  const count = all.length - most
  const more = count > 0 ? { count, show: () => setMost(most + shownMore) } : undefined
  return [all.slice(0, most), more] as const
}

// Tall enough for a finger, since most lines are links.
const line = 'block text-sm leading-6 [overflow-wrap:anywhere] max-md:[&:is(a)]:py-2.5'

function Card({ contact, isPreview }: { contact: SharedContact; isPreview: boolean }) {
  const startable = isPreview ? undefined : startablePhone(contact)
  const { organization, email, url } = contact
  const [phones, more] = useFirst(contact.phones)
  const name = cut(contact.name || kindLabel('contact'))
  return (
    <>
      <Avatar name={name} />
      <div className="min-w-0 flex-1 text-ink-2">
        <span className="line-clamp-2 font-medium text-ink [overflow-wrap:anywhere]" title={name} dir="auto">
          {name}
        </span>
        {phones.map((phone, index) => {
          const { shown, href } = phoneOf(phone)
          return (
            // oxlint-disable-next-line react/no-array-index-key -- the numbers of one card never move
            <SafeLink key={index} href={href} className={`${line} tabular-nums`}>
              {cut(shown)}
            </SafeLink>
          )
        })}
        {more && (
          <button type="button" className={moreLook} onClick={more.show}>
            mais {more.count} {more.count === 1 ? 'número' : 'números'}
          </button>
        )}
        {organization && (
          <span className={line} dir="auto">
            {cut(organization)}
          </span>
        )}
        {email && (
          <SafeLink href={mailAddress(email)} className={line}>
            {cut(email)}
          </SafeLink>
        )}
        {url && (
          <SafeLink href={url} className={line}>
            {cut(url)}
          </SafeLink>
        )}
        {startable && <StartChat phone={startable} name={contact.name} />}
      </div>
    </>
  )
}

function StartChat({ phone, name }: { phone: string; name: string }) {
  const { mutate, isPending } = useStartChat()
  return (
    <Button
      size="sm"
      icon={MessageCirclePlus}
      isBusy={isPending}
      busyLabel="Abrindo..."
      className="mt-1.5"
      onClick={() => mutate({ phone, name: name.slice(0, 200) })}
    >
      Iniciar conversa
    </Button>
  )
}
