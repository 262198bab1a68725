import { useQuery } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { type Contact, type ContactCard, contactLimits } from '#shared/contacts/contacts.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { hiddenNumber, unknownContact } from '#shared/text/text.ts'
import { hasPanelBeside, useMediaQuery } from '#web/platform/browser/media-query.ts'
import { shortDate } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { DialogOnDemand } from '#web/ui/overlays/dialog-on-demand.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { contactQueries } from '#web/contacts/queries.ts'
import { useMe } from '#web/users/users.tsx'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { ContactCategory } from './contact-category.tsx'
import { ContactCompany } from './contact-company.tsx'
import { ContactNotes } from './contact-notes.tsx'
import { ContactTags } from './contact-tags.tsx'
import { EditableText } from './editable-text.tsx'
import { usePhoneShown } from '#web/contacts/use-phone-shown.ts'

/** Where there are sectors. */
const useContactSector = partInPlace(async () => (await import('./contact-sector.tsx')).ContactSector)

/**
 * The contact beside a chat, or above it where space is short: the card's data at once, the rest as it loads,
 * each field editable in place.
 */
export function ContactPanel({
  contact,
  onClose,
  children,
}: {
  contact: ContactCard
  onClose: () => void
  /** Further sections, supplied by later rooms. */
  children?: ReactNode
}) {
  const isBeside = useMediaQuery(hasPanelBeside)
  // How high the facts become is not known before: what stands below comes after them, and is not moved.
  const { isPending } = useQuery(contactQueries.one(contact.id))
  const content = (
    <>
      <ContactFacts key={contact.id} card={contact} />
      {!isPending && children}
    </>
  )
  if (isBeside)
    return (
      <aside
        aria-label="Dados do contato"
        className="thin-scroll w-(--width-panel) flex-none overflow-y-auto border-l border-line bg-surface"
      >
        {content}
      </aside>
    )
  return (
    <DialogOnDemand isOpen onClose={onClose} title="Dados do contato">
      <div className="-mx-5 -mt-4 min-w-0">{content}</div>
    </DialogOnDemand>
  )
}

/** The fields of a contact, each editable in place. */
export function ContactFacts({ card }: { card: ContactCard }) {
  const { data, isError, refetch } = useQuery(contactQueries.one(card.id))
  const { hasSectors } = useMe()
  const sector = useContactSector(hasSectors)
  const contact: ContactCard & Partial<Contact> = { ...data, ...card }
  const pending = isError ? '--' : <Skeleton className="mt-1 w-28" />
  return (
    <>
      <Who card={contact} contact={data} />
      <PanelSection title="Contato">
        <dl
          className={[
            'grid grid-cols-[76px_minmax(0,1fr)] items-center gap-y-0.5 text-sm',
            '[&>dd]:flex [&>dd]:min-h-7 [&>dd]:min-w-0 [&>dd]:items-center',
          ].join(' ')}
        >
          <Term>Empresa</Term>
          <dd>
            <ContactCompany contact={contact} className="-ml-1 max-w-full" />
          </dd>
          <Term>Email</Term>
          <dd>
            {data ? (
              <EditableText contact={data} field="email" label="Email" maxLength={contactLimits.email}>
                <span className="min-w-0 truncate" title={data.email ?? undefined} dir="auto">
                  {data.email ?? '--'}
                </span>
              </EditableText>
            ) : (
              pending
            )}
          </dd>
          <Term>Categoria</Term>
          <dd>
            <ContactCategory contact={contact} />
          </dd>
          {hasSectors && (
            <>
              <Term>Setor fixo</Term>
              <dd>{data && sector ? createElement(sector, { contact: data }) : pending}</dd>
            </>
          )}
          <Term>Desde</Term>
          <dd className="tabular-nums">{data ? shortDate(data.createdAt) : pending}</dd>
        </dl>
      </PanelSection>
      {isError && !data && (
        <div
          role="alert"
          className="grid justify-items-start gap-2 border-b border-line px-4 py-3 text-sm text-ink-2"
        >
          Não foi possível carregar os dados do contato.
          <Button onClick={() => void refetch()}>Tentar novamente</Button>
        </div>
      )}
      {data && (
        <>
          <PanelSection title="Etiquetas">
            <ContactTags contact={data} />
          </PanelSection>
          <PanelSection title="Notas">
            <ContactNotes contact={data} />
          </PanelSection>
        </>
      )}
    </>
  )
}

function Who({ card, contact }: { card: ContactCard; contact: Contact | undefined }) {
  const me = useMe()
  const phoneShown = usePhoneShown(me.revealsPhones === true)
  const name = card.name || unknownContact
  const heading = (
    <h2 className="min-w-0 font-semibold wrap-anywhere" dir="auto">
      {name}
    </h2>
  )
  const phone = (
    <span className="text-sm text-ink-2 tabular-nums">
      {card.phone && phoneShown
        ? createElement(phoneShown, { contactId: card.id, phone: card.phone })
        : card.phone
          ? formatPhone(card.phone)
          : hiddenNumber}
    </span>
  )
  return (
    <div className="grid justify-items-center gap-0.5 border-b border-line px-4 pt-5 pb-3.5 text-center">
      <Avatar name={name} src={card.avatarUrl} size={64} />
      <div className="mt-2 flex min-h-7 max-w-full items-center">
        {contact ? (
          <EditableText contact={contact} field="name" label="Nome" maxLength={contactLimits.name}>
            {heading}
          </EditableText>
        ) : (
          heading
        )}
      </div>
      <div className="flex min-h-7 max-w-full items-center">
        {contact?.phone ? (
          <EditableText
            contact={contact}
            field="phone"
            label="Telefone"
            maxLength={40}
            placeholder="(11) 99999-9999"
          >
            {phone}
            {!me.hidesPhones && <CopyButton what="telefone" text={formatPhone(contact.phone)} />}
          </EditableText>
        ) : (
          phone
        )}
      </div>
      {card.isBlocked && <Badge tone="red">Bloqueado</Badge>}
    </div>
  )
}

/** A section of the panel under its heading. */
export function PanelSection({
  title,
  note,
  children,
}: {
  title: string
  /** At the end of the line of the title. */
  note?: string
  children: ReactNode
}) {
  return (
    <section aria-label={title} className="border-b border-line px-4 pt-3 pb-3.5 last:border-b-0">
      <h3 className="mb-2 flex text-xs font-semibold text-ink-2">
        {title}
        {note && <span className="ml-auto font-normal text-ink-3 tabular-nums">{note}</span>}
      </h3>
      {children}
    </section>
  )
}

function Term({ children }: { children: string }) {
  return <dt className="text-ink-3">{children}</dt>
}
