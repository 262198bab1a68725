import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { type ContactImport, type ImportField, importFieldLabels } from '#shared/contacts/contact-imports.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { figure } from '#web/contacts/import/import-texts.ts'
import { importQueries } from '#web/contacts/import/queries.ts'

/** The rows that are left out, a page at a time, by what is wrong. */
export function ErrorRows({ job }: { job: ContactImport }) {
  const [field, setField] = useState<ImportField>()
  const [page, setPage] = useState(1)
  const { data, error, isFetching, refetch } = useQuery(importQueries.errors(job.id, page, field, job.errors))
  if (error)
    return <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton />
  const { rows, counts, pagination } = data
  const first = (pagination.page - 1) * pagination.limit
  // Above the rows of vCards are headings that the file has not.
  const isOfCards = job.format === 'vcf'
  const choose = (next: ImportField | undefined) => {
    setField(next)
    setPage(1)
  }
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <div role="group" aria-label="Tipo de erro" className="flex flex-wrap gap-1.5 px-4 py-2.5">
        <Chip label="Todos" count={all} isOn={field === undefined} onPress={() => choose(undefined)} />
        {counts.map((one) => (
          <Chip
            key={one.field}
            label={importFieldLabels[one.field]}
            count={one.count}
            isOn={field === one.field}
            onPress={() => choose(one.field)}
          />
        ))}
      </div>
      <table className="w-full table-fixed border-collapse text-sm">
        <thead className="bg-sunken">
          <tr className="h-[34px] text-left text-xs text-ink-2">
            <th scope="col" className="w-[68px] pr-3 pl-2 text-right font-medium">
              {isOfCards ? 'Contato' : 'Linha'}
            </th>
            <th scope="col" className="w-[92px] font-medium">
              Valor
            </th>
            <th scope="col" className="pr-3 font-medium">
              Erro
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, value, error: text }) => (
            <tr key={line} className="h-10 border-t border-line">
              <td className="pr-3 pl-2 text-right tabular-nums">{figure(isOfCards ? line - 1 : line)}</td>
              <td className="truncate pr-2 tabular-nums" title={value} dir="auto">
                {value || <span className="text-ink-3">(vazio)</span>}
              </td>
              <td className="py-1 pr-3 [overflow-wrap:anywhere] text-red-text">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="flex h-10 items-center border-t border-line pr-2 pl-4 text-xs text-ink-3 tabular-nums">
        <span aria-live="polite">
          {figure(first + 1)}-{figure(first + rows.length)} de {figure(pagination.total)}
        </span>
        <span className="ml-auto flex">
          <IconButton
            size="sm"
            label="Página anterior"
            icon={ChevronLeft}
            disabled={page <= 1}
            onClick={() => setPage(page - 1)}
          />
          <IconButton
            size="sm"
            label="Próxima página"
            icon={ChevronRight}
            disabled={page >= pagination.totalPages}
            onClick={() => setPage(page + 1)}
          />
        </span>
      </p>
    </>
  )
}

function Chip({
  label,
  count,
  isOn,
  onPress,
}: {
  label: string
  count: number
  isOn: boolean
  onPress: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className={cn(
        'inline-flex h-7 items-center gap-1 rounded-full border px-2.5 text-xs font-medium tabular-nums',
        isOn
          ? 'border-accent-line bg-accent-soft text-accent-text'
          : 'border-line-strong bg-surface text-ink-2 hover:bg-hover',
      )}
    >
      {label} {figure(count)}
    </button>
  )
}

function RowsSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando...">
      {Array.from({ length: 7 }, (_, at) => (
        <div key={at} className="flex h-10 items-center gap-3 border-t border-line px-4 first:border-t-0">
          <Skeleton className="w-10" />
          <Skeleton className="w-20" />
          <Skeleton className="flex-1" />
        </div>
      ))}
    </div>
  )
}
