import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import type { ContactCard } from '#shared/contacts/contacts.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { contactQueries } from '#web/contacts/queries.ts'
import { useSaveContact } from '#web/contacts/save-contact.ts'
import { toastNotSaved, toastSaved } from '#web/contacts/toast-saved.ts'

/** A select has no empty value. */
const none = 'null'

/**
 * The category as a badge, and a choice of others. The current one stays in the list even when no longer
 * offered.
 */
export function ContactCategory({ contact }: { contact: ContactCard }) {
  const { data } = useQuery(contactQueries.categories())
  const { mutate, isPending } = useSaveContact(contact.id)
  const has = contact.category
  const isAssigned = (name: string) => name.toLowerCase() === has.toLowerCase()
  const offered = data ?? []
  const assigned = { value: has || none, label: <Badge color={contact.categoryColor} name={has} /> }
  const options = [
    ...(offered.some(({ name }) => isAssigned(name)) ? [] : [assigned]),
    ...offered.map(({ name, color }) =>
      isAssigned(name) ? assigned : { value: name, label: <Badge color={color} name={name} /> },
    ),
    ...(has === '' ? [] : [{ value: none, label: <Badge color="#6b7280" name="" /> }]),
  ]
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`Categoria: ${categoryLabel(has)}`}
          disabled={isPending}
          className={[
            '-ml-1 inline-flex h-7 max-w-full min-w-0 items-center gap-1',
            'rounded-[6px] px-1 hover:bg-hover data-[state=open]:bg-hover',
          ].join(' ')}
        >
          <Badge color={contact.categoryColor} name={has} />
          <ChevronDown size={12} aria-hidden className="flex-none" />
        </button>
      }
    >
      <MenuChoice
        label="Categoria"
        value={has || none}
        options={options}
        onChoose={(value) =>
          mutate(() => ({ category: value === none ? '' : value }), {
            onSuccess: toastSaved,
            onError: toastNotSaved,
          })
        }
      />
    </Menu>
  )
}

function Badge({ color, name }: { color: string; name: string }) {
  return <CategoryBadge color={color}>{categoryLabel(name)}</CategoryBadge>
}
