import { Copy, Trash2, TriangleAlert, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type ManagedMacro, macroLimits } from '#shared/macros/managed-macros.ts'
import { faultOf } from '#shared/macros/steps.ts'
import { useSaveMacro } from '#web/macros/mutations.ts'
import { ApiError, reasonOf } from '#web/platform/api/api.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { bodyOf, type Draft, draftOf, emptyDraft } from './draft.ts'
import { problemOf, useKnown } from './known.ts'
import { StepsList } from './steps-list.tsx'

/** A macro with its steps, or a new one; what may not be changed is shown, and can be copied. */
export function MacroEditor({
  macro,
  initial,
  onSaved,
  onDirty,
  onCopy,
  onDelete,
  onClose,
}: {
  /** undefined: a new one. */
  macro: ManagedMacro | undefined
  /** What a new one begins with. */
  initial: Draft | undefined
  onSaved: (id: number) => void
  /** Whether there are changes that are not saved. */
  onDirty: (isDirty: boolean) => void
  onCopy: (draft: Draft) => void
  onDelete: () => void
  onClose: () => void
}) {
  const known = useKnown()
  const mayShare = useCan('shareMacros')
  const save = useSaveMacro()
  const [draft, setDraft] = useState(() => (macro ? draftOf(macro) : (initial ?? emptyDraft())))
  /** As it is stored; of a new one nothing is. */
  const [stored, setStored] = useState(() => (macro ? draft : emptyDraft()))
  const [version, setVersion] = useState(macro?.version)
  const [refused, setRefused] = useState<{ name?: string; shortcut?: string; text?: string }>({})
  const isReadOnly = macro?.isChangeable === false
  const isDirty = JSON.stringify(bodyOf(draft)) !== JSON.stringify(bodyOf(stored))
  useEffect(() => {
    onDirty(isDirty)
    return () => onDirty(false)
  }, [isDirty, onDirty])
  const change = (next: Partial<Draft> | ((now: Draft) => Partial<Draft>)) => {
    setDraft((now) => ({ ...now, ...(typeof next === 'function' ? next(now) : next) }))
    setRefused({})
  }
  const steps = draft.steps.map(({ step }) => step)
  const fault =
    faultOf(steps) ??
    (steps.some((step) => problemOf(step, known) !== undefined)
      ? 'Um passo precisa ser completado.'
      : undefined)
  const isBare = draft.name.trim() === '' || draft.shortcut.trim() === ''
  const submit = () => {
    const about = macro && { id: macro.id, ...(version !== undefined && { version }) }
    save.mutateAsync({ ...bodyOf(draft), ...about }).then(
      ({ id, version: saved }) => {
        setVersion(saved)
        setStored(draft)
        toast({ tone: 'success', title: macro ? 'Macro salva' : 'Macro criada' })
        onSaved(id)
      },
      (error: unknown) => {
        const code = error instanceof ApiError ? error.code : undefined
        const text = reasonOf(error)
        if (code === 'macros.duplicate') setRefused({ name: text })
        else if (code === 'macros.duplicate_shortcut') setRefused({ shortcut: text })
        else setRefused({ text })
      },
    )
  }
  const reload = () => {
    if (!macro) return
    const current = draftOf(macro)
    setDraft(current)
    setStored(current)
    setVersion(macro.version)
    setRefused({})
  }
  // One's own change is in the list before its answer is here.
  const isStale = !save.isPending && macro !== undefined && version !== undefined && macro.version > version
  return (
    <section
      aria-label={macro?.name ?? 'Nova macro'}
      className="min-w-0 overflow-hidden rounded-card border border-line bg-surface"
    >
      <header className="flex min-h-12 items-center gap-2 border-b border-line pr-2 pl-4">
        <Zap size={16} aria-hidden className="flex-none text-ink-2" />
        <h2 className="min-w-0 flex-1 truncate text-base font-semibold" dir="auto">
          {macro?.name ?? 'Nova macro'}
        </h2>
        {macro && (
          <Button size="sm" icon={Copy} onClick={() => onCopy(draft)}>
            Duplicar
          </Button>
        )}
        {macro?.isChangeable && (
          <IconButton icon={Trash2} tone="danger" label="Excluir macro" onClick={onDelete} />
        )}
      </header>
      <fieldset disabled={isReadOnly} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 p-4">
        {isReadOnly && (
          <p className="text-sm text-ink-2">Esta macro é de outras pessoas. Duplique-a e mude a cópia.</p>
        )}
        {isStale && (
          <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-amber-text">
            Um colega mudou esta macro enquanto você editava.
            <Button size="sm" onClick={reload}>
              Ver a atual
            </Button>
          </p>
        )}
        <div className="grid items-start gap-3 md:grid-cols-[minmax(0,1fr)_150px_170px]">
          <Field label="Nome" isRequired error={refused.name}>
            {(control) => (
              <Input
                {...control}
                value={draft.name}
                maxLength={macroLimits.name}
                autoComplete="off"
                dir="auto"
                placeholder="Pedido confirmado"
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
          <Field label="Atalho" isRequired error={refused.shortcut}>
            {(control) => (
              <Input
                {...control}
                value={draft.shortcut}
                maxLength={macroLimits.shortcut}
                autoComplete="off"
                placeholder="pedido"
                leading={<span className="text-ink-3">/</span>}
                onChange={({ target }) =>
                  change({ shortcut: target.value.replace(/^\//, '').replace(/\s/g, '-') })
                }
              />
            )}
          </Field>
          {(mayShare || draft.isShared) && <Whose draft={draft} isDisabled={isReadOnly} onChange={change} />}
        </div>
        <StepsList
          steps={draft.steps}
          known={known}
          isReadOnly={isReadOnly}
          onChange={(next) => change((now) => ({ steps: next(now.steps) }))}
        />
        {fault !== undefined && steps.length > 0 && (
          <p
            role="status"
            className={[
              'flex gap-2 rounded-control border border-amber-line bg-amber-soft p-2.5',
              'text-sm text-amber-text',
            ].join(' ')}
          >
            <TriangleAlert size={16} aria-hidden className="mt-0.5 flex-none" />
            {fault}
          </p>
        )}
        {refused.text !== undefined && (
          <p role="alert" className="text-sm text-red-text">
            A macro não foi salva: {refused.text}
          </p>
        )}
      </fieldset>
      <footer
        className={[
          'flex flex-wrap items-center justify-end gap-2 border-t border-line bg-sunken px-4 py-3',
        ].join(' ')}
      >
        <p className="mr-auto text-xs text-ink-2">{macro && usesText(macro)}</p>
        <Button variant="ghost" onClick={onClose}>
          {isReadOnly ? 'Fechar' : 'Descartar'}
        </Button>
        {!isReadOnly && (
          <Button
            variant="primary"
            disabled={fault !== undefined || isBare}
            isBusy={save.isPending}
            busyLabel="Salvando..."
            onClick={submit}
          >
            Salvar
          </Button>
        )}
      </footer>
    </section>
  )
}

const own = 'own'
const everybody = 'all'

/** Whose macro it is: the person's own, that of a sector, or everybody's. */
function Whose({
  draft: { isShared, sectorId },
  isDisabled,
  onChange,
}: {
  draft: Draft
  isDisabled: boolean
  onChange: (next: Partial<Draft>) => void
}) {
  const { living, find } = useSectors()
  const mayShareWithAll = useCan('shareMacrosWithAll')
  const led = new Set(useMe().sectors.flatMap(({ id, isLead }) => (isLead ? [id] : [])))
  const sectors = mayShareWithAll ? living : living.filter(({ id }) => led.has(id))
  const current = sectorId === null ? undefined : find(sectorId)
  const shown = current && !sectors.includes(current) ? [...sectors, current] : sectors
  return (
    <Field label="Quem usa" error={current?.isDeleted ? 'O setor não existe mais.' : undefined}>
      {(control) => (
        <Select
          {...control}
          isDisabled={isDisabled}
          value={!isShared ? own : sectorId === null ? everybody : String(sectorId)}
          onChange={(value) =>
            onChange(
              value === own
                ? { isShared: false, sectorId: null }
                : { isShared: true, sectorId: value === everybody ? null : Number(value) },
            )
          }
          options={[
            { value: own, label: 'Só eu' },
            ...(mayShareWithAll || (isShared && sectorId === null)
              ? [{ value: everybody, label: 'Todos' }]
              : []),
            ...shown.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
    </Field>
  )
}

/** 'Usada 212 vezes, a última em 19/11 às 14:10 por Ana' */
function usesText({ uses, lastUsedAt, lastUsedBy }: ManagedMacro): string {
  if (uses === 0 || lastUsedAt === null) return 'Ainda não foi usada'
  const times = uses === 1 ? 'Usada 1 vez' : `Usada ${uses.toLocaleString('pt-BR')} vezes`
  return `${times}, a última ${dateTime(lastUsedAt)}${lastUsedBy === null ? '' : ` por ${lastUsedBy}`}`
}
