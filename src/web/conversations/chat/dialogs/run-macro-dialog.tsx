import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { previewMacro, runMacro } from '#shared/macros/macro-runs.ts'
import { type Macro, stepsText } from '#shared/macros/macros.ts'
import { fieldNameOf } from '#shared/text/field-names.ts'
import { nameIn, type Placeholder } from '#shared/text/template.ts'
import { unknownContact } from '#shared/text/text.ts'
import { findMacros, useMacros } from '#web/macros/macros.tsx'
import { ApiError, call } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan } from '#web/users/users.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { newClientMessageId } from '#web/conversations/sends/new-client-message-id.ts'
import { MacroSteps } from './macro-steps.tsx'
import { useToldEnd } from './told-end.ts'
import { useGoOn } from './use-go-on.ts'

interface Asked {
  conversation: Conversation
  /** Absent: it is chosen first. */
  macroId?: number | undefined
  onClose: () => void
}

/** Shows what a macro will do in a conversation, and runs it: everything or nothing. */
export function RunMacroDialog({ conversation, macroId, onClose }: Asked) {
  const [chosen, setChosen] = useState(macroId)
  return chosen === undefined ? (
    <Choose conversation={conversation} onChoose={setChosen} onClose={onClose} />
  ) : (
    <Before conversation={conversation} macroId={chosen} onClose={onClose} />
  )
}

function Choose({
  conversation,
  onChoose,
  onClose,
}: Omit<Asked, 'macroId'> & { onChoose: (id: number) => void }) {
  const [typed, setTyped] = useState('')
  const isAdvanced = useCan('openAdvancedSettings')
  const { macros, isLoading } = useMacros()
  const found = findMacros(macros, typed)
  const [first] = found
  return (
    <Dialog isOpen onClose={onClose} title="Rodar macro" description={nameOf(conversation)}>
      <SearchField
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !first) return
          event.preventDefault()
          onChoose(first.id)
        }}
        placeholder="Buscar macro"
      />
      <ul aria-label="Macros" className="grid gap-0.5">
        {found.map((macro) => (
          <li key={macro.id}>
            <MacroButton macro={macro} onChoose={() => onChoose(macro.id)} />
          </li>
        ))}
        {found.length === 0 && (
          <li className="p-2 text-sm text-ink-2">{isLoading ? 'Carregando…' : 'Nenhuma macro encontrada'}</li>
        )}
      </ul>
      <Link
        href={`${isAdvanced ? '/settings-advanced' : '/settings'}?aba=macros`}
        className="text-sm font-medium text-accent-text"
      >
        Editar macros
      </Link>
    </Dialog>
  )
}

function MacroButton({ macro, onChoose }: { macro: Macro; onChoose: () => void }) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className={[
        'flex min-h-9 w-full items-center gap-2.5 rounded-control px-2 text-left text-sm',
        'hover:bg-hover max-md:min-h-11',
      ].join(' ')}
    >
      <Zap size={15} aria-hidden className="flex-none text-ink-2" />
      <span className="min-w-0 flex-1 truncate" dir="auto">
        {macro.name}
      </span>
      <span className="flex-none text-xs text-ink-3">{stepsText(macro.stepCount)}</span>
    </button>
  )
}

const nameOf = ({ contact }: Conversation) => contact.name || unknownContact

function Before({ conversation, macroId, onClose }: Asked & { macroId: number }) {
  const { id } = conversation
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['macro-preview', id, macroId],
    queryFn: ({ signal }) => call(previewMacro, { params: { id, macroId }, signal }),
    gcTime: 0,
    retry: false,
    staleTime: Infinity,
    refetchInterval: false,
  })
  // Repeated after a lost answer it has no further effect.
  const [runId] = useState(newClientMessageId)
  const [values, setValues] = useState<Partial<Record<Placeholder, string>>>({})
  // Places are those of one version: in another a step of its own may stand there.
  const [skipped, setSkipped] = useState<{ version: number; places: readonly number[] }>()
  const skip = skipped && skipped.version === data?.version ? skipped.places : []
  const [refusal, setRefusal] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const goOn = useGoOn(id)
  const tellEnd = useToldEnd(conversation, goOn)
  const discard = useDiscard(
    Object.values(values).some((value) => value.trim() !== ''),
    onClose,
  )
  const left = data?.steps
    .map((step, place) => ({ ...step, place }))
    .filter(({ place }) => !skip.includes(place))
  const missing = [
    ...new Set(left?.flatMap((step) => step.missing.map((each) => nameIn(each) as Placeholder))),
  ]
  const isReady =
    left !== undefined &&
    !isFetching &&
    left.every((step) => step.error === null) &&
    missing.every((name) => values[name]?.trim())
  // Enter runs it, or what is missing is written; not the Enter that has opened it, while it is held down.
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLDivElement>(null)
  const isShown = data !== undefined
  useEffect(() => {
    if (isShown) (field.current?.querySelector('input') ?? button.current)?.focus()
  }, [isShown])
  const ended = async () => {
    const [last] = left?.slice(-1) ?? []
    onClose()
    if (last?.kind === 'finalize') {
      const now = await client.fetchQuery({ ...conversationQueries.one(id), staleTime: 0 }).catch(() => null)
      const reasonPath = last.detail || undefined
      if (now) return tellEnd(now, { notes: '', reasonId: undefined, tagIds: [], reasonPath }, false)
    }
    toast({
      tone: 'success',
      title: `Macro ‘${data?.name}’ feita`,
      description: stepsText(left?.length ?? 0),
    })
    if (last?.kind === 'sector' || last?.kind === 'person') goOn.leave(false)
  }
  const run = () => {
    if (!data || !isReady || isRunning) return
    setRunning(true)
    setRefusal(undefined)
    const body = {
      runId,
      version: data.version,
      holderId: data.holderId,
      lastEntryId: data.lastEntryId,
      values: missing.map((field) => ({ field, value: values[field]?.trim() ?? '' })),
      skip: [...skip],
      isUndoable: true,
    }
    call(runMacro, { params: { id, macroId }, body }).then(ended, (failure: Error) => {
      setRunning(false)
      setRefusal(failure.message)
      // It is shown as it would be done now.
      if (failure instanceof ApiError) void refetch()
    })
  }
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title="Antes de rodar"
      description={`${data ? `${data.name}, na` : 'Na'} conversa com ${nameOf(conversation)}`}
      footer={
        <>
          <p className="mr-auto min-w-0 text-xs text-ink-2">Tudo ou nada, exceto o que já foi enviado.</p>
          <Button onClick={discard.close}>Cancelar</Button>
          <Button
            ref={button}
            variant="primary"
            icon={Zap}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            disabled={!isReady || discard.isAsked}
            isBusy={isRunning}
            busyLabel="Rodando..."
            onClick={run}
          >
            Rodar
          </Button>
        </>
      }
    >
      {refusal !== undefined && (
        <p
          role="alert"
          className="rounded-control border border-amber-line bg-amber-soft p-2.5 text-sm text-amber-text"
        >
          {refusal}
        </p>
      )}
      {data ? (
        <MacroSteps
          preview={data}
          values={values}
          skip={skip}
          onSkip={(place) => setSkipped({ version: data.version, places: [...skip, place] })}
        />
      ) : error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-busy aria-label="Carregando" className="grid gap-3 py-1">
          <Skeleton className="w-48" />
          <Skeleton className="w-64" />
          <Skeleton className="w-40" />
        </div>
      )}
      <div ref={field} className={cn('grid gap-3.5', missing.length === 0 && 'hidden')}>
        {missing.map((name) => (
          <Field
            key={name}
            label={fieldNameOf(`{{${name}}}`)}
            hint="Sem valor nesta conversa: escreva o que o cliente vai ler."
            isRequired
          >
            {(control) => (
              <Input
                {...control}
                maxLength={500}
                dir="auto"
                autoComplete="off"
                value={values[name] ?? ''}
                onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {discard.question}
    </Dialog>
  )
}
