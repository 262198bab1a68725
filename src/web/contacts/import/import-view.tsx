import { useQuery } from '@tanstack/react-query'
import { FileX, Upload } from 'lucide-react'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { ColumnsCard } from './preparing/columns-card.tsx'
import { ImportPage } from './import-page.tsx'
import { formText, isBusy, lines, sizeText } from './import-texts.ts'
import { ProgressCard } from './running/progress-card.tsx'
import { importQueries } from './queries.ts'
import { ResultCard } from './running/result-card.tsx'
import { useFreshContacts } from './running/use-fresh-contacts.ts'

/** One import, from its columns to its result. All of it is the server's, so it can be left at any time. */
export function ImportView({ id, onFresh }: { id: number; onFresh: () => void }) {
  const { data: job, error, isFetching, refetch } = useQuery(importQueries.one(id))
  useFreshContacts(job && isBusy(job.state))
  const another = (
    <Button icon={Upload} onClick={onFresh}>
      Outro arquivo
    </Button>
  )
  // An import that is shown stays when one of its polls fails.
  if (!job)
    return (
      <ImportPage actions={another}>
        {error instanceof ApiError && error.status === 404 ? (
          <EmptyState
            icon={FileX}
            title="Importação não encontrada"
            description="O arquivo e as linhas são apagados depois de 30 dias."
          />
        ) : error ? (
          <ErrorState
            title="Erro ao carregar a importação"
            description={error.message}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <Spinner size={20} label="Carregando" className="text-ink-3" />
        )}
      </ImportPage>
    )
  const facts = [job.fileName, lines(job.totalRows), sizeText(job.sizeBytes), formText(job)]
  const isBegun = job.state !== 'read'
  return (
    <ImportPage
      subtitle={
        <span className="tabular-nums [overflow-wrap:anywhere]" dir="auto">
          {facts.join(' · ')}
        </span>
      }
      actions={another}
    >
      <div
        className={
          isBegun ? 'grid items-start gap-4 lg:grid-cols-3 lg:items-stretch' : 'w-full max-w-[640px]'
        }
      >
        {/* Other rows have other columns: what was chosen for those of before does not apply. */}
        <ColumnsCard key={JSON.stringify(job.choice)} job={job} onDiscarded={onFresh} />
        {isBegun && <ProgressCard job={job} />}
        {isBegun && <ResultCard job={job} />}
      </div>
    </ImportPage>
  )
}
