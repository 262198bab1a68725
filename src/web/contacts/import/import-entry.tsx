import { useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { useCan } from '#web/users/users.tsx'
import { isBusy, percentOf } from './import-texts.ts'
import { ProgressBar } from './running/progress-bar.tsx'
import { importQueries } from './queries.ts'
import { useFreshContacts } from './running/use-fresh-contacts.ts'

/** Leads from the contacts to the import. */
export function ImportLink() {
  if (!useCan('importContacts')) return null
  return (
    <Button asChild>
      <Link href="/contacts/import">
        <Upload size={16} aria-hidden className="-ml-[3px] text-ink-2" />
        Importar
      </Link>
    </Button>
  )
}

/** How far an import is that works now, above the list that it changes. */
export function RunningImport() {
  return useCan('importContacts') ? <Running /> : null
}

function Running() {
  const { data } = useQuery(importQueries.list())
  const job = data?.find(({ state }) => isBusy(state))
  useFreshContacts(job !== undefined)
  if (!job) return null
  const isUndo = job.state === 'undoing'
  const percent = isUndo
    ? percentOf(job.undoneRows, job.created + job.updated)
    : percentOf(job.doneRows, job.totalRows)
  const words = isUndo ? 'Desfazendo a importação' : 'Importando contatos'
  return (
    <div className="mb-3 flex items-center gap-3 rounded-card border border-line bg-surface px-4 py-2">
      <span className="min-w-0 truncate text-sm" dir="auto">
        {words}: {job.fileName}
      </span>
      <span className="min-w-16 flex-1">
        <ProgressBar label={words} percent={percent} />
      </span>
      <span className="tabular-nums">{percent}%</span>
      <Link href={`/contacts/import?id=${job.id}`} className="font-medium text-accent-text hover:underline">
        Ver
      </Link>
    </div>
  )
}
