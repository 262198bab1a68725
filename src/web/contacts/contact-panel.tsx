import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Contact, ContactCard } from '#shared/contacts.ts'
import { formatPhone } from '#shared/phone.ts'
import { categoryLabel, hiddenNumber, unknownContact } from '#shared/text.ts'
import { useMediaQuery } from '#web/platform/media-query.ts'
import { shortDate } from '#web/platform/server-clock.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CategoryBadge } from '#web/ui/category-badge.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { contactQueries } from './queries.ts'

/**
 * The contact beside a chat, or above it where there is no room: known at once from the card, the rest as it comes.
 * Read only.
 */
export function ContactPanel({ contact, onClose }: { contact: ContactCard; onClose: () => void }) {
  const isBeside = useMediaQuery('(min-width: 48rem)')
  if (isBeside)
    return (
      <aside
        aria-label="Dados do contato"
        className="thin-scroll w-(--width-panel) flex-none overflow-y-auto border-l border-line bg-surface"
      >
        <Facts card={contact} />
      </aside>
    )
  return (
    <Dialog isOpen onClose={onClose} title="Dados do contato">
      <div className="-mx-5 -mt-4">
        <Facts card={contact} />
      </div>
    </Dialog>
  )
}

function Facts({ card }: { card: ContactCard }) {
  const { data, isError, refetch } = useQuery(contactQueries.one(card.id))
  const contact: ContactCard & Partial<Contact> = { ...card, ...data }
  const pending = isError ? '--' : <Skeleton className="mt-1 w-28" />
  return (
    <>
      <Who contact={contact} />
      <Section title="Contato">
        <dl className="grid grid-cols-[76px_minmax(0,1fr)] gap-y-1.5 text-sm">
          <Fact term="Empresa">{contact.company?.name ?? 'Sem empresa'}</Fact>
          <Fact term="Email">{data ? (data.email ?? '--') : pending}</Fact>
          <dt className="text-ink-3">Categoria</dt>
          <dd className="flex min-w-0">
            <CategoryBadge color={contact.categoryColor}>{categoryLabel(contact.category)}</CategoryBadge>
          </dd>
          <Fact term="Desde">{data ? shortDate(data.createdAt) : pending}</Fact>
        </dl>
      </Section>
      {isError && (
        <div
          role="alert"
          className="grid justify-items-start gap-2 border-b border-line px-4 py-3 text-sm text-ink-2"
        >
          Não foi possível carregar os dados do contato.
          <Button onClick={() => void refetch()}>Tentar novamente</Button>
        </div>
      )}
      {data && <Extras contact={data} />}
    </>
  )
}

function Who({ contact }: { contact: ContactCard }) {
  const name = contact.name || unknownContact
  return (
    <div className="grid justify-items-center gap-0.5 border-b border-line px-4 pt-5 pb-3.5 text-center">
      <Avatar name={name} src={contact.avatarUrl} size={64} />
      <h2 className="mt-2 max-w-full font-semibold wrap-anywhere" dir="auto">
        {name}
      </h2>
      <p className="text-sm text-ink-2 tabular-nums">
        {contact.phone ? formatPhone(contact.phone) : hiddenNumber}
      </p>
      {contact.isBlocked && <Badge tone="red">Bloqueado</Badge>}
    </div>
  )
}

function Extras({ contact }: { contact: Contact }) {
  return (
    <>
      <Section title="Etiquetas">
        {contact.tags.length === 0 ? (
          <p className="text-sm text-ink-3">Nenhuma etiqueta</p>
        ) : (
          <ul className="flex flex-wrap gap-1.5">
            {contact.tags.map((tag) => (
              <li key={tag} className="min-w-0 max-w-full">
                <Badge>{tag}</Badge>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Notas">
        <p className="text-sm whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]" dir="auto">
          {contact.notes || 'Nenhuma nota'}
        </p>
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b border-line px-4 pt-3 pb-3.5 last:border-b-0">
      <h3 className="mb-2 text-xs font-semibold text-ink-2">{title}</h3>
      {children}
    </section>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{term}</dt>
      <dd
        className="truncate tabular-nums"
        title={typeof children === 'string' ? children : undefined}
        dir="auto"
      >
        {children}
      </dd>
    </>
  )
}
