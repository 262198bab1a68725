import { Download } from 'lucide-react'
import type { ExportedPart, RowOrder, RowsFilter } from '#shared/reports/report-parts.ts'
import { Button } from '#web/ui/buttons/button.tsx'

function exportAddress(filter: RowsFilter, part: ExportedPart, format: string, order?: RowOrder): string {
  const query = new URLSearchParams({ part, format })
  for (const [name, value] of Object.entries({ ...filter, order }))
    if (value !== undefined) query.set(name, String(value))
  return `/api/reports/export?${query.toString()}`
}

/** What is shown, as a file. */
export function ExportButtons({
  filter,
  part,
  order,
  what,
}: {
  filter: RowsFilter
  part: ExportedPart
  order?: RowOrder | undefined
  /** 'a tabela por operador' */
  what: string
}) {
  return (
    <span className="flex items-center gap-1 print:hidden">
      {(['csv', 'xlsx'] as const).map((format) => (
        <Button key={format} asChild size="sm">
          <a
            href={exportAddress(filter, part, format, order)}
            download
            aria-label={`Baixar ${what} como ${format.toUpperCase()}`}
          >
            {format === 'csv' && <Download size={14} aria-hidden className="-ml-[3px] text-ink-2" />}
            {format.toUpperCase()}
          </a>
        </Button>
      ))}
    </span>
  )
}
