import { ChevronDown } from 'lucide-react'
import type { Contact } from '#shared/contacts/contacts.ts'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { useSaveContact } from '#web/contacts/save-contact.ts'
import { toastNotSaved, toastSaved } from '#web/contacts/toast-saved.ts'
import { SectorDot, useSectors } from '#web/sectors/sectors.tsx'

/** A choice has no empty value. */
const none = 'null'

/** To which sector the contact's new conversations go, and a choice of others. */
export function ContactSector({ contact }: { contact: Contact }) {
  const { living, find } = useSectors()
  const { mutate, isPending } = useSaveContact(contact.id)
  const own = find(contact.sectorId)
  const offered = living.filter(({ id, isActive }) => isActive || id === own?.id)
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`Setor fixo: ${own?.name ?? 'Nenhum'}`}
          disabled={isPending}
          className={[
            '-ml-1 inline-flex h-7 max-w-full min-w-0 items-center gap-1',
            'rounded-[6px] px-1 hover:bg-hover data-[state=open]:bg-hover',
          ].join(' ')}
        >
          {own ? <Named color={own.color} name={own.name} /> : <span className="text-ink-3">Nenhum</span>}
          <ChevronDown size={12} aria-hidden className="flex-none" />
        </button>
      }
    >
      <MenuChoice
        label="Setor fixo"
        value={own ? String(own.id) : none}
        options={[
          ...offered.map(({ id, name, color }) => ({
            value: String(id),
            label: <Named color={color} name={name} />,
          })),
          { value: none, label: 'Nenhum' },
        ]}
        onChoose={(value) =>
          mutate(() => ({ sectorId: value === none ? null : Number(value) }), {
            onSuccess: toastSaved,
            onError: toastNotSaved,
          })
        }
      />
    </Menu>
  )
}

function Named({ color, name }: { color: string; name: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <SectorDot color={color} />
      <span className="truncate" title={name} dir="auto">
        {name}
      </span>
    </span>
  )
}
