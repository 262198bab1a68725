import { Pencil, Phone, Trash2, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Company } from '#shared/contacts/companies.ts'
import { phoneAsTyped } from '#shared/text/phone.ts'
import { shortDate } from '#web/platform/dates.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'

/** A company; of one whose facts the person may not see, name and state. */
export function CompanyCard({
  company,
  onEdit,
  onDelete,
}: {
  company: Company
  onEdit: () => void
  onDelete: () => void
}) {
  const { name, isActive, phone, responsibleName, contactCount, lastContactAt } = company
  return (
    <li className="flex flex-col rounded-card border border-line bg-surface">
      <div className="flex items-center gap-2.5 py-2.5 pr-2 pl-3.5">
        <Avatar name={name} className="rounded-control" />
        <h2 className="min-w-0 truncate font-semibold" title={name} dir="auto">
          {name}
        </h2>
        <Badge tone={isActive ? 'green' : 'neutral'}>{isActive ? 'Ativo' : 'Inativo'}</Badge>
        <span className="ml-auto flex flex-none">
          <IconButton size="sm" label={`Editar ${name}`} icon={Pencil} onClick={onEdit} />
          <IconButton size="sm" tone="danger" label={`Excluir ${name}`} icon={Trash2} onClick={onDelete} />
        </span>
      </div>
      {contactCount !== undefined && (
        <>
          <div className="grid flex-1 content-start gap-0.5 pr-3 pb-2.5 pl-15 text-sm text-ink-2">
            <Line icon={Phone} text={phone && phoneAsTyped(phone)} none="sem telefone" />
            <Line icon={UserRound} text={responsibleName} none="sem responsável" />
          </div>
          <p
            className={[
              'flex justify-between gap-2 border-t border-line px-3.5 py-2',
              'text-xs text-ink-3 tabular-nums',
            ].join(' ')}
          >
            <span>{contactCount === 1 ? '1 contato' : `${contactCount} contatos`}</span>
            <span>
              {lastContactAt ? `último contato ${shortDate(lastContactAt)}` : 'nenhuma conversa ainda'}
            </span>
          </p>
        </>
      )}
    </li>
  )
}

function Line(props: { icon: typeof Phone; text: ReactNode; none: string }) {
  const { icon: Icon, text, none } = props
  return (
    <p className="flex min-w-0 items-center gap-1.5">
      <Icon size={14} aria-hidden className="flex-none text-ink-3" />
      <span className={cn('truncate', !text && 'text-ink-3')} dir="auto">
        {text || none}
      </span>
    </p>
  )
}
