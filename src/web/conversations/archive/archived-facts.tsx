import { Check, ContactRound, Timer, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ArchivedDetail } from '#shared/conversations/archive.ts'
import { handlingTime } from '#shared/text/time/handling-time.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { hiddenNumber } from '#shared/text/text.ts'
import { clockTime, shortDate } from '#web/platform/live/server-clock.ts'

/** Contact, operator, duration and completion in one card. */
export function ArchivedFacts({ conversation }: { conversation: ArchivedDetail }) {
  const { contact, assignedUser, startedAt, completedAt, steps } = conversation
  const taken = steps.find(({ kind }) => kind === 'taken' || kind === 'assigned' || kind === 'distributed')
  const finished = completedAt ?? startedAt
  return (
    <dl
      className={[
        'mb-4 grid rounded-card border border-line bg-surface max-md:grid-cols-2',
        'md:grid-cols-[1.35fr_1fr_1fr_1fr]',
      ].join(' ')}
    >
      <Fact icon={ContactRound} label="Contato" note={contact.company?.name}>
        {contact.phone ? formatPhone(contact.phone) : hiddenNumber}
      </Fact>
      <Fact icon={User} label="Operador" note={taken && `assumiu às ${clockTime(taken.at)}`}>
        {assignedUser?.name ?? 'N/A'}
      </Fact>
      <Fact icon={Timer} label="Duração" note={taken && queueNote(startedAt, taken.at)}>
        {handlingTime(startedAt, completedAt)}
      </Fact>
      <Fact icon={Check} label="Finalizada" note={clockTime(finished)}>
        {shortDate(finished)}
      </Fact>
    </dl>
  )
}

const queueNote = (from: string, to: string) => `${handlingTime(from, to)} na fila`

function Fact({
  icon: Icon,
  label,
  note,
  children,
}: {
  icon: typeof User
  label: string
  note?: string | undefined
  children: ReactNode
}) {
  return (
    <div
      className={[
        'min-w-0 border-line px-4 py-3 max-md:nth-[n+3]:border-t max-md:even:border-l',
        'md:not-first:border-l',
      ].join(' ')}
    >
      <dt className="flex items-center gap-1.5 text-sm text-ink-2">
        <Icon aria-hidden size={14} />
        {label}
      </dt>
      <dd className="mt-1 truncate text-base font-medium tabular-nums" dir="auto">
        {children}
      </dd>
      {note && (
        <dd className="truncate text-xs text-ink-3 tabular-nums" title={note} dir="auto">
          {note}
        </dd>
      )}
    </div>
  )
}
