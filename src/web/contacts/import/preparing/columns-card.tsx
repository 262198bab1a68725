import { ArrowRight } from 'lucide-react'
import { createElement, useState } from 'react'
import {
  type ContactImport,
  importFieldLabels,
  importFields,
  type ImportField,
  type ImportMapping,
  type KnownChoice,
} from '#shared/contacts/contact-imports.ts'
import { errorTexts } from '#shared/text/error-texts.ts'
import { shortDate } from '#web/platform/dates.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { fetchedOnDemand } from '#web/ui/on-demand.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { useCan } from '#web/users/users.tsx'
import { foundText } from '#web/contacts/import/import-texts.ts'
import { useImportActs } from '#web/contacts/import/queries.ts'
import { KnownSwitch } from './known-switch.tsx'
import { RowChoiceFields } from './row-choice.tsx'
import { StepCard } from './step-card.tsx'

/** Reads numbers by the rules of all countries, which are large. */
const useImportPreview = fetchedOnDemand(async () => (await import('./import-preview.tsx')).ImportPreview)

/** A select has no empty value. */
const nothing = 'none'

const optionsOf = (hasSectors: boolean) => [
  ...importFields
    .filter((field) => hasSectors || field !== 'sector')
    .map((field) => ({ value: field as string, label: importFieldLabels[field] })),
  { value: nothing, label: 'Não importar' },
]

/** What each column of the file becomes, and how the first rows will look. */
export function ColumnsCard({ job, onDiscarded }: { job: ContactImport; onDiscarded: () => void }) {
  const isOpen = job.state === 'read'
  const preview = useImportPreview(true, () => undefined)
  const mayUpdate = useCan('updateByImport')
  const options = optionsOf(useSectors().areAny)
  const [chosen, setChosen] = useState<ImportMapping>(job.mapping)
  const [wanted, setKnown] = useState<KnownChoice>(job.known)
  const mapping = isOpen ? chosen : job.mapping
  const known = isOpen ? (mayUpdate ? wanted : 'skip') : job.known
  const { start, discard } = useImportActs(job.id)
  const missing = (['phone', 'name'] as const).find((field) => !mapping.includes(field))
  const choose = (at: number, field: ImportField | null) =>
    setChosen(mapping.map((one, n) => (n === at ? field : one)))
  const from = job.mappingFrom
  return (
    <StepCard
      step={1}
      title="Colunas"
      note={
        from === null
          ? job.format === 'vcf'
            ? 'os campos de cada vCard'
            : 'adivinhadas pelo cabeçalho e pelas primeiras linhas'
          : `igual à última importação, de ${shortDate(from).slice(0, 5)}`
      }
    >
      {isOpen && <RowChoiceFields job={job} />}
      <table className="w-full table-fixed border-collapse text-sm">
        <thead className="bg-sunken">
          <tr className="h-[34px] text-left text-xs font-medium text-ink-2">
            <th scope="col" className="pl-4 font-medium">
              No arquivo
            </th>
            <th scope="col" className="w-[166px] pl-7 font-medium">
              No Balcão
            </th>
          </tr>
        </thead>
        <tbody>
          {job.columns.map(({ name, sample }, at) => {
            const title = name || `Coluna ${at + 1}`
            const field = mapping[at] ?? null
            return (
              <tr key={at} className="border-t border-line">
                <td className="py-1.5 pl-4">
                  <p className="truncate font-medium" title={title} dir="auto">
                    {title}
                  </p>
                  <p className="truncate text-xs text-ink-3 tabular-nums" title={sample} dir="auto">
                    {sample || '(vazia)'}
                  </p>
                </td>
                <td className="py-1.5 pr-3">
                  <span className="flex items-center gap-1.5">
                    <ArrowRight size={14} aria-hidden className="flex-none text-ink-3" />
                    {isOpen ? (
                      <Select
                        aria-label={`No Balcão: ${title}`}
                        fieldSize="bar"
                        className="min-w-0 flex-1"
                        value={field ?? nothing}
                        onChange={(value) => choose(at, value === nothing ? null : (value as ImportField))}
                        options={options}
                      />
                    ) : (
                      <span className={field === null ? 'text-ink-3' : ''}>
                        {field === null ? 'Não importar' : importFieldLabels[field]}
                      </span>
                    )}
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {preview && createElement(preview, { rows: job.firstRows, mapping, areaCode: job.areaCode })}
      {isOpen && (
        <p className="border-t border-line px-4 py-2 text-xs text-ink-3">
          Um campo pode ter várias colunas: as do nome se juntam, e de vários telefones vale o celular.
        </p>
      )}
      {isOpen && (
        <footer className="mt-auto grid gap-2.5 border-t border-line px-4 py-3">
          {missing && (
            <p
              role="alert"
              className="rounded-control border border-red-line bg-red-soft p-2.5 text-sm text-red-text"
            >
              {errorTexts[`imports.no_${missing}`]}
            </p>
          )}
          <div className="flex items-center gap-2 text-sm">
            <span className="flex-1">Telefone que já existe</span>
            <KnownSwitch value={known} mayUpdate={mayUpdate} onChange={setKnown} />
          </div>
          <div className="flex flex-wrap items-center justify-end gap-2">
            <p className="mr-auto text-xs text-ink-3 tabular-nums">{foundText(job, mapping)}</p>
            <Button
              isBusy={discard.isPending}
              onClick={() => discard.mutate(undefined, { onSuccess: onDiscarded })}
            >
              Cancelar
            </Button>
            <Button
              variant="primary"
              disabled={missing !== undefined}
              isBusy={start.isPending || start.isSuccess}
              busyLabel="Começando..."
              onClick={() => start.mutate({ mapping, known })}
            >
              Importar
            </Button>
          </div>
        </footer>
      )}
    </StepCard>
  )
}
