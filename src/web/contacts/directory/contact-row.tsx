import { Ban, EllipsisVertical, LockOpen, MessageCircle, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import type { Contact } from '#shared/contacts/contacts.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { categoryLabel, hiddenNumber } from '#shared/text/text.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { useDeleteContact, useToggleBlock } from '#web/contacts/contact-acts.ts'
import { useStartChat } from '#web/contacts/start-chat.ts'

const cellLook = 'min-w-0 max-md:block max-md:p-0'
/** Below the name, on small screens. */
const underName = 'max-md:pl-10'

/** A name that is read from the right stands beside the picture, too. */
const linkLook = [
  'relative max-w-full justify-self-start truncate font-medium hover:underline',
  'max-md:-my-[13px] max-md:min-w-11 max-md:py-[13px]',
].join(' ')

/** A contact: a row of the table, a card on small screens. */
export function ContactRow({ contact, onEdit }: { contact: Contact; onEdit: () => void }) {
  const { name, phone, email, category, categoryColor, isBlocked, avatarUrl } = contact
  return (
    <tr
      className={[
        'border-t border-line text-sm first:border-t-0 md:hover:bg-hover',
        'md:col-span-full md:grid md:min-h-10 md:grid-cols-subgrid md:items-center md:px-4 md:py-1',
        'max-md:relative max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-2 max-md:gap-y-1',
        'max-md:px-4 max-md:py-2.5',
      ].join(' ')}
    >
      <td
        className={[
          'grid min-w-0 grid-cols-[28px_minmax(0,1fr)] items-center gap-x-3 max-md:w-full max-md:pr-18',
          'xl:col-span-4 xl:grid-cols-subgrid',
        ].join(' ')}
      >
        <Avatar name={name} src={avatarUrl} size={28} className="row-span-2 xl:row-span-1" />
        <Link href={`/contacts/${contact.id}`} className={linkLook} title={name} dir="auto">
          {name}
        </Link>
        <span className="flex min-w-0 gap-x-2 text-ink-2 max-xl:text-xs xl:contents">
          <span className="flex-none tabular-nums">{phone ? formatPhone(phone) : hiddenNumber}</span>
          <span
            className={cn('min-w-0 truncate', !email && 'text-ink-3 max-xl:hidden')}
            title={email ?? undefined}
          >
            {email ?? 'sem email'}
          </span>
        </span>
      </td>
      <td className={`${cellLook} ${underName} max-md:w-full md:max-lg:hidden`}>
        <CompanyOf contact={contact} />
      </td>
      <td className={`${cellLook} ${underName}`}>
        <CategoryBadge color={categoryColor} className="block w-fit">
          {categoryLabel(category)}
        </CategoryBadge>
      </td>
      <td className={`${cellLook} ${isBlocked ? '' : 'max-md:hidden'}`}>
        <Badge tone={isBlocked ? 'red' : 'green'}>{isBlocked ? 'Bloqueado' : 'Ativo'}</Badge>
      </td>
      <td className={`${cellLook} text-right whitespace-nowrap max-md:absolute max-md:top-2 max-md:right-2`}>
        <Actions contact={contact} onEdit={onEdit} />
      </td>
    </tr>
  )
}

function CompanyOf({ contact: { company, companyId } }: { contact: Contact }) {
  if (!company)
    return (
      <span className="block truncate text-ink-3 max-md:hidden">
        {companyId === null ? 'Sem empresa' : 'Empresa não encontrada'}
      </span>
    )
  return (
    <span className="block truncate max-md:text-xs max-md:text-ink-2" title={company.name} dir="auto">
      {company.name}
    </span>
  )
}

function Actions({ contact, onEdit }: { contact: Contact; onEdit: () => void }) {
  const { name, isBlocked } = contact
  const isWide = useMediaQuery('(min-width: 48rem)')
  const start = useStartChat()
  const toggle = useToggleBlock()
  const remove = useDeleteContact()
  const block = {
    icon: isBlocked ? LockOpen : Ban,
    label: isBlocked ? 'Desbloquear' : 'Bloquear',
    onClick: () => toggle.mutate(contact),
  }
  const open = (
    <IconButton
      label={`Iniciar conversa com ${name}`}
      icon={MessageCircle}
      size={isWide ? 'sm' : 'md'}
      isBusy={start.isPending}
      onClick={() => start.mutate({ contactId: contact.id })}
    />
  )
  if (!isWide)
    return (
      <>
        {open}
        <Menu trigger={<IconButton label={`Mais ações: ${name}`} icon={EllipsisVertical} />}>
          <MenuItem icon={Pencil} onSelect={onEdit} leadsElsewhere>
            Editar
          </MenuItem>
          <MenuItem icon={block.icon} onSelect={block.onClick}>
            {block.label}
          </MenuItem>
          <MenuLine />
          <MenuItem icon={Trash2} isDanger onSelect={() => remove.mutate(contact)}>
            Excluir
          </MenuItem>
        </Menu>
      </>
    )
  return (
    <>
      {open}
      <IconButton size="sm" label={`Editar ${name}`} icon={Pencil} onClick={onEdit} />
      <IconButton
        size="sm"
        label={`${block.label} ${name}`}
        icon={block.icon}
        isBusy={toggle.isPending}
        onClick={block.onClick}
      />
      <IconButton
        size="sm"
        tone="danger"
        label={`Excluir ${name}`}
        icon={Trash2}
        isBusy={remove.isPending}
        onClick={() => remove.mutate(contact)}
      />
    </>
  )
}
