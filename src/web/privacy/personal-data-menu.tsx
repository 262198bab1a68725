import { Download, EllipsisVertical, Eraser } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '#shared/contacts/contacts.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { useCan } from '#web/users/users.tsx'
import { AnonymizeDialog } from './anonymize-dialog.tsx'
import { useExportPersonalData } from './queries.ts'

/** 'Mais ações' of a contact: a copy of their data, and that they are erased. Nothing for who may neither. */
export function PersonalDataMenu({ contact }: { contact: Contact }) {
  const canExport = useCan('exportPersonalData')
  const canAnonymize = useCan('anonymizeContact')
  const { mutate: exportData, isPending } = useExportPersonalData()
  const [isAsking, setAsking] = useState(false)
  if (contact.isErased || (!canExport && !canAnonymize)) return null
  return (
    <>
      <Menu trigger={<IconButton label="Mais ações" icon={EllipsisVertical} isBusy={isPending} />}>
        {canExport && (
          <MenuItem icon={Download} onSelect={() => exportData(contact)}>
            Exportar dados
          </MenuItem>
        )}
        {canExport && canAnonymize && <MenuLine />}
        {canAnonymize && (
          <MenuItem icon={Eraser} isDanger leadsElsewhere onSelect={() => setAsking(true)}>
            Anonimizar
          </MenuItem>
        )}
      </Menu>
      {isAsking && <AnonymizeDialog contact={contact} onClose={() => setAsking(false)} />}
    </>
  )
}
