import { Download, FileSpreadsheet, FileText } from 'lucide-react'
import { type ExportFormat, exportContacts } from '#shared/contacts/contact-imports.ts'
import { download } from '#web/platform/browser/download.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { useCan } from '#web/users/users.tsx'
import type { ContactFilter } from '#web/contacts/queries.ts'

/** Saves what the filter shows as a file. */
export function ExportMenu({ filter }: { filter: ContactFilter }) {
  if (!useCan('exportContacts')) return null
  return (
    <Menu trigger={<Button icon={Download}>Exportar</Button>}>
      <MenuItem icon={FileText} onSelect={() => save(filter, 'csv')}>
        CSV, para o Excel
      </MenuItem>
      <MenuItem icon={FileSpreadsheet} onSelect={() => save(filter, 'xlsx')}>
        XLSX
      </MenuItem>
    </Menu>
  )
}

/** The browser saves it while it comes, however long it is. */
function save({ search, category, tag }: ContactFilter, format: ExportFormat): void {
  const query = new URLSearchParams({
    format,
    ...(search && { search }),
    ...(category && { category }),
    ...(tag && { tag }),
  })
  download(`${exportContacts.path}?${query.toString()}`)
}
