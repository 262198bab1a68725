import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import {
  deleteSavedReport,
  listSavedReports,
  type SavedFilter,
  saveReport,
} from '#shared/reports/saved-reports.ts'
import { call } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { savedAddress } from '#web/reports/asked/report-address.ts'

/** Apart from the figures of reports, which the dashboard asks for, too. */
const savedQuery = queryOptions({
  queryKey: ['reports', 'saved'],
  queryFn: ({ signal }) => call(listSavedReports, { signal }),
})

/** The person's own saved reports, and a name for the one that is shown. */
export function SavedReports({ filter }: { filter: SavedFilter }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label="Relatórios salvos"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button icon={Bookmark} className="print:hidden">
          Salvos
        </Button>
      }
    >
      <SavedList filter={filter} onClose={() => setOpen(false)} />
    </Popover>
  )
}

function SavedList({ filter, onClose }: { filter: SavedFilter; onClose: () => void }) {
  const { data, error } = useQuery(savedQuery)
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: savedQuery.queryKey })
  const [name, setName] = useState('')
  const save = useMutation({
    mutationFn: (named: string) => call(saveReport, { body: { name: named, filter } }),
    onSuccess: async (saved) => {
      setName('')
      toast({ title: 'Relatório salvo', description: saved.name, tone: 'success' })
      await refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (id: number) => call(deleteSavedReport, { params: { id } }),
    onSettled: refresh,
    onError: (failure) =>
      toast({ title: 'Erro ao apagar o relatório salvo', description: failure.message, tone: 'error' }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') save.mutate(name.trim())
  }
  return (
    <div className="grid w-72 max-w-full gap-3">
      {data && data.length > 0 ? (
        <ul className="-mx-1 grid">
          {data.map((saved) => (
            <li key={saved.id} className="flex items-center gap-1 rounded-control hover:bg-hover">
              <Link
                href={savedAddress(saved.filter)}
                onClick={onClose}
                className="min-w-0 flex-1 truncate px-1 py-1.5"
                title={saved.name}
                dir="auto"
              >
                {saved.name}
              </Link>
              <IconButton
                icon={Trash2}
                label={`Apagar ${saved.name}`}
                size="sm"
                isBusy={remove.isPending && remove.variables === saved.id}
                onClick={() => remove.mutate(saved.id)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-2">
          {error ? error.message : data ? 'Nenhum relatório salvo ainda.' : 'Carregando...'}
        </p>
      )}
      <form className="grid gap-2 border-t border-line pt-3" onSubmit={submit}>
        <Field label="Salvar este relatório como" {...(save.error && { error: save.error.message })}>
          {(control) => (
            <Input
              {...control}
              fieldSize="bar"
              maxLength={60}
              placeholder="Ex.: Minha semana"
              value={name}
              onChange={(event) => {
                save.reset()
                setName(event.target.value)
              }}
            />
          )}
        </Field>
        <Button
          type="submit"
          variant="primary"
          disabled={name.trim() === ''}
          isBusy={save.isPending}
          busyLabel="Salvando..."
        >
          Salvar
        </Button>
      </form>
    </div>
  )
}
