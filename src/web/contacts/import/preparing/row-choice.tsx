import type { ContactImport, RowChoice } from '#shared/contacts/contact-imports.ts'
import { Select } from '#web/ui/fields/select.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { counted, lines } from '#web/contacts/import/import-texts.ts'
import { useImportActs } from '#web/contacts/import/queries.ts'

/** Which rows of the file are imported. Where there is only one answer nothing is asked. */
export function RowChoiceFields({ job }: { job: ContactImport }) {
  const { chooseRows } = useImportActs(job.id)
  const { choice, sheets, firstLines } = job
  if (!choice) return null
  const hidden = sheets[choice.sheet]?.hidden ?? 0
  // The headings of vCards are ours.
  const hasHeadings = job.format !== 'vcf'
  const asks = { sheet: sheets.length > 1, line: hasHeadings && firstLines.length > 1, hidden: hidden > 0 }
  if (!asks.sheet && !asks.line && !asks.hidden) return null
  const { sheet, headerLine, withHidden } = chooseRows.isPending ? chooseRows.variables : choice
  const choose = (changed: Partial<RowChoice>) => chooseRows.mutate({ ...choice, ...changed })
  return (
    <div aria-busy={chooseRows.isPending} className="grid gap-2 border-b border-line px-4 py-3 text-sm">
      {asks.sheet && (
        <div className="grid grid-cols-[88px_minmax(0,1fr)] items-center gap-2">
          <span aria-hidden>Planilha</span>
          <Select
            aria-label="Planilha"
            fieldSize="bar"
            isDisabled={chooseRows.isPending}
            value={String(sheet)}
            // Each sheet has its own headings: the server looks for them.
            onChange={(value) => chooseRows.mutate({ sheet: Number(value), withHidden: false })}
            options={sheets.map(({ name, rows }, at) => ({
              value: String(at),
              label: `${name || `Planilha ${at + 1}`} · ${lines(rows)}`,
              isDisabled: rows === 0,
            }))}
          />
        </div>
      )}
      {asks.line && (
        <div className="grid grid-cols-[88px_minmax(0,1fr)] items-center gap-2">
          <span aria-hidden>Cabeçalho</span>
          <Select
            aria-label="Linha do cabeçalho"
            fieldSize="bar"
            isDisabled={chooseRows.isPending}
            value={String(headerLine)}
            onChange={(value) => choose({ headerLine: Number(value) })}
            options={firstLines.map(({ line, text }) => ({
              value: String(line),
              label: (
                <span dir="auto" className="tabular-nums">
                  Linha {line}: {text}
                </span>
              ),
            }))}
          />
        </div>
      )}
      {asks.hidden && (
        <label className="flex md:min-h-8 items-center gap-2">
          <span className="flex-1">Importar também {counted(hidden, 'linha oculta', 'linhas ocultas')}</span>
          <Switch
            aria-label="Importar também as linhas ocultas"
            disabled={chooseRows.isPending}
            checked={withHidden}
            onCheckedChange={(isOn) => choose({ withHidden: isOn })}
          />
        </label>
      )}
    </div>
  )
}
