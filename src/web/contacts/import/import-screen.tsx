import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { useCan } from '#web/users/users.tsx'
import { ImportPage } from './import-page.tsx'
import { isBusy } from './import-texts.ts'
import { ImportView } from './import-view.tsx'
import { importQueries } from './queries.ts'
import { StartView } from './preparing/start-view.tsx'

/** `/contacts/import`: contacts from a file. */
export function ImportScreen() {
  return useCan('importContacts') ? <Imports /> : <DeniedState isPage />
}

const fresh = 'novo'

/** The address names the import. Without a name it is one that works now, or a new one begins. */
function Imports() {
  const [params, setParams] = useSearchParams()
  const named = params.get('id')
  const { data, error, isFetching, refetch } = useQuery(importQueries.list())
  const open = (id: number | typeof fresh) => setParams({ id: String(id) })
  if (named !== null && /^\d+$/.test(named))
    return <ImportView key={named} id={Number(named)} onFresh={() => open(fresh)} />
  if (error)
    return (
      <ImportPage>
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      </ImportPage>
    )
  if (!data)
    return (
      <ImportPage>
        <Spinner size={20} label="Carregando" className="text-ink-3" />
      </ImportPage>
    )
  const working = named === fresh ? undefined : data.find(({ state }) => isBusy(state))
  if (working) return <ImportView key={working.id} id={working.id} onFresh={() => open(fresh)} />
  return <StartView imports={data} onOpen={open} />
}
