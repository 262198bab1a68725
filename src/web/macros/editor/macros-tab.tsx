import { useQuery } from '@tanstack/react-query'
import { Globe, Layers, Plus, UserRound, Zap } from 'lucide-react'
import { useState } from 'react'
import type { ManagedMacro } from '#shared/macros/managed-macros.ts'
import { useDeleteMacro } from '#web/macros/mutations.ts'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { Deletion } from '#web/platform/deletion.tsx'
import { SectorDot, useSectors } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { RowsSkeleton } from '#web/ui/states/rows-skeleton.tsx'
import { copyOf, type Draft } from './draft.ts'
import { MacroEditor } from './macro-editor.tsx'
import { managedMacros } from './queries.ts'

/** What is edited: a macro, or a new one. `key` tells one new one from the next. */
type Edited = { id: number } | { key: number; initial?: Draft }

const unsaved = {
  title: 'Sair sem salvar?',
  description: 'As mudanças desta macro ainda não foram salvas, e ela fica sem elas.',
  leave: 'Sair sem salvar',
  stay: 'Continuar editando',
}

const deleted = {
  title: 'Excluir macro',
  done: 'Macro excluída',
  failed: 'A macro não foi excluída',
}

/** The macros that the person uses or may change, and one of them with its steps. */
export function MacrosTab() {
  const { data, error, isFetching, refetch } = useQuery(managedMacros())
  const [edited, setEdited] = useState<Edited>()
  const deleting = useDeleteMacro()
  const [isDeleting, setDeleting] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const leaving = useLeaveGuard(isDirty)
  if (!data)
    return error ? (
      <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <RowsSkeleton height="h-12" className="mt-4" />
    )
  const macro = edited && 'id' in edited ? data.find(({ id }) => id === edited.id) : undefined
  const isNew = edited !== undefined && 'key' in edited
  const begin = (initial?: Draft) => setEdited({ key: Date.now(), ...(initial && { initial }) })
  const close = () => setEdited(undefined)
  const create = (
    <Button icon={Plus} onClick={() => leaving.pass(() => begin())}>
      Nova macro
    </Button>
  )
  if (data.length === 0 && !isNew)
    return (
      <EmptyState
        icon={Zap}
        title="Nenhuma macro ainda"
        description="Junte numa só o que você faz dez vezes por dia: texto, etiqueta, motivo, fim."
        action={
          <Button variant="primary" icon={Plus} onClick={() => begin()}>
            Criar a primeira
          </Button>
        }
      />
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 pt-4 lg:grid-cols-[260px_minmax(0,1fr)]">
      <Card
        title="Macros"
        note={<span className="tabular-nums">{data.length}</span>}
        actions={create}
        className={cn('overflow-hidden', !macro && !isNew && 'lg:col-span-2')}
      >
        <ul aria-label="Macros">
          {data.map((one) => (
            <li key={one.id} className="border-t border-line first:border-t-0">
              <MacroRow
                macro={one}
                isOpen={one.id === macro?.id}
                onOpen={() => one.id !== macro?.id && leaving.pass(() => setEdited({ id: one.id }))}
              />
            </li>
          ))}
        </ul>
      </Card>
      {(macro || isNew) && (
        // Above the list on small screens, where it would not be seen below it.
        <div className="min-w-0 max-lg:order-first">
          <MacroEditor
            key={edited && ('id' in edited ? edited.id : `new ${edited.key}`)}
            macro={macro}
            initial={edited && 'initial' in edited ? edited.initial : undefined}
            onSaved={(id) => setEdited({ id })}
            onDirty={setDirty}
            onCopy={(draft) => leaving.pass(() => begin(copyOf(draft)))}
            onDelete={() => setDeleting(true)}
            onClose={() => leaving.pass(close)}
          />
        </div>
      )}
      <LeaveDialog leaving={leaving} words={unsaved} />
      {isDeleting && macro && (
        <Deletion
          id={macro.id}
          words={deleted}
          deleting={deleting}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false)
            close()
          }}
        >
          {macro.name} deixa de existir{macro.isShared ? ' para todos que a usam' : ''}. O que ela já fez fica
          como está.
        </Deletion>
      )}
    </div>
  )
}

function MacroRow({
  macro: { name, shortcut, isShared, sectorId, uses },
  isOpen,
  onOpen,
}: {
  macro: ManagedMacro
  isOpen: boolean
  onOpen: () => void
}) {
  const { find } = useSectors()
  const sector = sectorId === null ? undefined : find(sectorId)
  const Icon = isShared ? (sectorId === null ? Globe : Layers) : UserRound
  const whose = isShared ? (sectorId === null ? 'Todos' : (sector?.name ?? 'Setor')) : 'Só eu'
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      onClick={onOpen}
      className={cn(
        'relative flex w-full items-start gap-2.5 px-3.5 py-2 text-left text-sm -outline-offset-2',
        isOpen ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      {isOpen && <i aria-hidden className="absolute inset-y-0 left-0 w-[3px] bg-accent" />}
      <span className="mt-1 grid size-3.5 flex-none place-items-center text-ink-2">
        {sector ? <SectorDot color={sector.color} /> : <Icon size={14} aria-hidden />}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium" title={name} dir="auto">
            {name}
          </span>
          <span className="max-w-28 flex-none truncate font-mono text-xs text-ink-2">/{shortcut}</span>
        </span>
        <span className="block truncate text-xs text-ink-2 tabular-nums">
          {whose} · {uses === 1 ? '1 uso' : `${uses.toLocaleString('pt-BR')} usos`}
        </span>
      </span>
    </button>
  )
}
