import { Download, FileSpreadsheet, FileText } from 'lucide-react'
import { type ExportFormat, exportContacts } from '#shared/contacts/contact-imports.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { saveExport, useCan } from '#web/users/users.tsx'
import type { ContactFilter } from '#web/contacts/queries.ts'

/** Saves what the filter shows as a file. */
export function ExportMenu({ filter }: { filter: ContactFilter }) {
  if (!useCan('exportContacts')) return null
  return (
    <Menu trigger={<Button icon={Download}>Exportar</Button>}>
      <MenuItem icon={FileText} onSelect={() => void save(filter, 'csv')}>
        CSV, para o Excel
      </MenuItem>
      <MenuItem icon={FileSpreadsheet} onSelect={() => void save(filter, 'xlsx')}>
        XLSX
      </MenuItem>
    </Menu>
  )
}

function save({ search, category, tag }: ContactFilter, format: ExportFormat): Promise<void> {
  const query = new URLSearchParams({
    format,
    ...(search && { search }),
    ...(category && { category }),
    ...(tag && { tag }),
  })
  return saveExport(`${exportContacts.path}?${query.toString()}`)
}
