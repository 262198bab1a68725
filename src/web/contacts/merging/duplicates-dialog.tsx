import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { ContactMerge, Duplicate, DuplicateReason } from '#shared/contacts/contact-merges.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { hiddenNumber } from '#shared/text/text.ts'
import { dateTime, shortDate } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { mergeQueries, useKeepApart, useMerge, useUndoMerge } from './queries.ts'

/** Contacts that may be one person, and merges that can be undone. */
export function DuplicatesDialog({ onClose }: { onClose: () => void }) {
  const duplicates = useQuery({ ...mergeQueries.duplicates(), staleTime: 0 })
  const merges = useQuery({ ...mergeQueries.merges(), staleTime: 0 })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Contatos repetidos"
      description="Quem é mantido fica com o número; conversas, notas e etiquetas do outro passam para ele."
      className="md:w-[720px]"
    >
      {duplicates.data ? (
        duplicates.data.length > 0 ? (
          <ul aria-label="Possíveis repetidos" className="grid gap-3">
            {duplicates.data.map((pair) => (
              <Suggestion key={pair.contacts.map(({ id }) => id).join('-')} pair={pair} />
            ))}
          </ul>
        ) : (
          <p className="text-sm text-ink-2">Nenhum contato parece repetido.</p>
        )
      ) : duplicates.error ? (
        <ErrorState
          description={duplicates.error.message}
          isRetrying={duplicates.isFetching}
          onRetry={() => void duplicates.refetch()}
        />
      ) : (
        <div role="status" aria-busy aria-label="Procurando repetidos" className="grid gap-3">
          <Skeleton className="h-28 w-full rounded-card" />
          <Skeleton className="h-28 w-full rounded-card" />
        </div>
      )}
      {merges.data && merges.data.length > 0 && (
        <section aria-label="Juntados no último dia" className="grid gap-1 border-t border-line pt-3">
          <h3 className="text-sm font-semibold">Juntados no último dia</h3>
          <ul className="grid">
            {merges.data.map((merge) => (
              <Done key={merge.id} merge={merge} />
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}

const reasonTexts: Record<DuplicateReason, string> = {
  number: 'Mesmo final de número e nome parecido',
  typo: 'Mesmo nome, um dígito diferente',
  email: 'Mesmo nome e mesmo email',
  hidden_number: 'Mesmo nome, um deles com número oculto',
}

function Suggestion({ pair }: { pair: Duplicate }) {
  const [one, other] = pair.contacts
  const merge = useMerge()
  const apart = useKeepApart()
  const isBusy = merge.isPending || apart.isPending
  const side = (contact: Contact, gone: Contact, conversations: number) => (
    <div className="grid min-w-0 content-start gap-2 rounded-control border border-line p-2.5">
      <Facts contact={contact} conversations={conversations} />
      <Button
        size="sm"
        isBlock
        disabled={isBusy}
        aria-label={`Manter este: ${contact.name}, ${numberOf(contact)}`}
        onClick={() => merge.mutate({ kept: contact, other: gone })}
      >
        Manter este
      </Button>
    </div>
  )
  return (
    <li className="grid gap-2 rounded-card border border-line bg-sunken p-2.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-2">{reasonTexts[pair.reason]}</p>
        <Button
          size="sm"
          variant="ghost"
          disabled={isBusy}
          aria-label={`São pessoas diferentes: ${one.name} e ${other.name}`}
          onClick={() => apart.mutate([one, other])}
        >
          São pessoas diferentes
        </Button>
      </div>
      <div className="grid gap-2 bg-sunken md:grid-cols-2">
        {side(one, other, pair.conversationCounts[0])}
        {side(other, one, pair.conversationCounts[1])}
      </div>
    </li>
  )
}

const numberOf = ({ phone }: Pick<Contact, 'phone'>) => (phone ? formatPhone(phone) : hiddenNumber)

/** What distinguishes one contact from another. */
export function Facts({ contact, conversations }: { contact: Contact; conversations?: number }) {
  const { name, avatarUrl, email, company, createdAt, isBlocked } = contact
  return (
    <div className="flex min-w-0 items-start gap-2.5">
      <Avatar name={name} src={avatarUrl} size={28} />
      <div className="grid min-w-0 gap-px text-sm">
        <span className="truncate font-medium" title={name} dir="auto">
          {name}
        </span>
        <span className="text-ink-2 tabular-nums">{numberOf(contact)}</span>
        <span className="truncate text-xs text-ink-3" dir="auto">
          {[email, company?.name].filter(Boolean).join(' · ') || 'sem email'}
        </span>
        <span className="text-xs text-ink-3 tabular-nums">
          {conversations !== undefined &&
            `${conversations === 1 ? '1 conversa' : `${conversations} conversas`} · `}
          desde {shortDate(createdAt)}
        </span>
        {isBlocked && (
          <span>
            <Badge tone="red">Bloqueado</Badge>
          </span>
        )}
      </div>
    </div>
  )
}

function Done({ merge }: { merge: ContactMerge }) {
  const { mutate, isPending } = useUndoMerge()
  const { id, keptName, mergedName, mergedPhone, mergedBy, mergedAt } = merge
  return (
    <li className="flex min-h-11 min-w-0 items-center gap-2 text-sm">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <b className="font-medium">{mergedName}</b>
        {mergedPhone && <span className="text-ink-2 tabular-nums"> {formatPhone(mergedPhone)}</span>} em{' '}
        <b className="font-medium">{keptName}</b>
        <span className="block text-xs text-ink-3 tabular-nums">
          {dateTime(mergedAt)}, por {mergedBy}
        </span>
      </span>
      <Button
        size="sm"
        icon={Undo2}
        isBusy={isPending}
        busyLabel="Desfazendo..."
        aria-label={`Desfazer: ${mergedName} em ${keptName}`}
        onClick={() => mutate(id)}
      >
        Desfazer
      </Button>
    </li>
  )
}
