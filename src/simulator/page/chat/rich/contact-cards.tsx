import { BriefcaseBusiness, Globe, Mail, Phone, type LucideIcon } from 'lucide-react'
import type { ContactCard } from '#simulator/control-api.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'

const shownCards = 3

/** One card in full, or several by name and first number. */
export function ContactCards({ contacts }: { contacts: ContactCard[] }) {
  const [first] = contacts
  if (contacts.length === 1 && first) return <Card card={first} />
  const hidden = contacts.slice(shownCards)
  return (
    <div className="w-[190px] max-w-full">
      <p className="pb-1 text-xs text-ink-2">{contacts.length} contatos</p>
      <Rows cards={contacts.slice(0, shownCards)} />
      {hidden.length > 0 && (
        <details>
          <summary className="min-h-6 cursor-pointer rounded-[6px] py-1 text-xs font-medium text-accent-text">
            {hidden.length === 1 ? 'Mais um contato' : `Mais ${hidden.length} contatos`}
          </summary>
          <Rows cards={hidden} />
        </details>
      )}
    </div>
  )
}

function Rows({ cards }: { cards: ContactCard[] }) {
  return (
    <ul className="grid gap-1.5">
      {cards.map((card, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the cards of a message never move, and names
        // repeat
        <li key={index}>
          <Head card={card} note={card.phones[0]?.number} />
        </li>
      ))}
    </ul>
  )
}

function Head({ card: { name }, note }: { card: ContactCard; note: string | undefined }) {
  return (
    <span className="flex items-center gap-2">
      <Avatar name={name} size={28} />
      <span className="min-w-0">
        <span dir="auto" title={name} className="block truncate font-medium">
          {name}
        </span>
        {note && <span className="block truncate text-xs text-ink-2 tabular-nums">{note}</span>}
      </span>
    </span>
  )
}

function Card({ card }: { card: ContactCard }) {
  const { phones, organization, email, url } = card
  return (
    <div className="grid w-[190px] max-w-full grid-cols-[minmax(0,1fr)] gap-1">
      <Head card={card} note={phones.length === 0 ? 'Sem número' : undefined} />
      {phones.map(({ number }) => (
        <Fact key={number} icon={Phone} text={number} />
      ))}
      {organization && <Fact icon={BriefcaseBusiness} text={organization} />}
      {email && <Fact icon={Mail} text={email} />}
      {url && <Fact icon={Globe} text={url} />}
    </div>
  )
}

function Fact({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <span className="flex items-center gap-1.5 text-xs text-ink-2">
      <Icon size={12} aria-hidden className="shrink-0" />
      <span title={text} className="truncate tabular-nums">
        {text}
      </span>
    </span>
  )
}
