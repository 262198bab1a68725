import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Timer, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { listSlaTargets, setSlaTargets, slaLimits, type SlaTarget } from '#shared/sla/sla.ts'
import { contactQueries } from '#web/contacts/contacts.tsx'
import { ApiError, call } from '#web/platform/api/api.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { SaveBar } from '#web/ui/forms/save-bar.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { slaKeys } from './live.ts'

/** How soon clients are answered, and their conversations ended. */
export function SlaTab() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: slaKeys.all,
    queryFn: ({ signal }) => call(listSlaTargets, { signal }),
  })
  if (data) return <Targets stored={data} />
  return error ? (
    <ErrorState
      description="Não foi possível carregar os prazos."
      isRetrying={isFetching}
      onRetry={() => void refetch()}
    />
  ) : (
    <div role="status" aria-busy aria-label="Carregando" className="pt-4">
      <Skeleton className="h-72 w-full" />
    </div>
  )
}

/** A line of the form; the minutes as they are typed. */
interface Line {
  key: number
  sectorId: string
  categoryId: string
  reply: string
  end: string
}

const any = 'any'
let lastKey = 0
const toLine = (one: SlaTarget): Line => ({
  key: ++lastKey,
  sectorId: String(one.sectorId ?? any),
  categoryId: String(one.categoryId ?? any),
  reply: String(one.replyMinutes ?? ''),
  end: String(one.endMinutes ?? ''),
})
const idIn = (chosen: string) => (chosen === any ? null : Number(chosen))
const minutesIn = (typed: string) => (typed.trim() === '' ? null : Number(typed))
const toTarget = ({ sectorId, categoryId, reply, end }: Line): SlaTarget => ({
  sectorId: idIn(sectorId),
  categoryId: idIn(categoryId),
  replyMinutes: minutesIn(reply),
  endMinutes: minutesIn(end),
})

function Targets({ stored }: { stored: { targets: SlaTarget[]; version: string } }) {
  const client = useQueryClient()
  // What a colleague saves meanwhile does not change what is being typed: the version tells.
  const [{ version, targets }, setBase] = useState(stored)
  const [lines, setLines] = useState(() => stored.targets.map(toLine))
  const [isTried, setTried] = useState(false)
  const changes = countChanges(lines.map(toTarget), targets)
  if (changes === 0 && stored.version !== version) {
    setBase(stored)
    setLines(stored.targets.map(toLine))
  }
  const save = useMutation({
    mutationFn: (wanted: SlaTarget[]) => call(setSlaTargets, { body: { targets: wanted, version } }),
    onSuccess: (saved) => {
      client.setQueryData(slaKeys.all, saved)
      setBase(saved)
      setLines(saved.targets.map(toLine))
      setTried(false)
      toast({ tone: 'success', title: 'Prazos salvos' })
    },
    onError: (refused) => {
      void client.invalidateQueries({ queryKey: slaKeys.all })
      toast({
        tone: 'error',
        title: 'Falha ao salvar os prazos',
        ...(refused instanceof ApiError && refused.userMessage && { description: refused.userMessage }),
      })
    },
  })
  const problems = lines.map((line) => problemOf(line, lines))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problems.every((problem) => problem === undefined)) save.mutate(lines.map(toTarget))
  }
  const discard = () => {
    setBase(stored)
    setLines(stored.targets.map(toLine))
    setTried(false)
  }
  const add = () =>
    setLines([...lines, toLine({ sectorId: null, categoryId: null, replyMinutes: null, endMinutes: null })])
  return (
    <form noValidate onSubmit={submit} className="flex min-h-full flex-col pt-4">
      <Card
        title="Prazos (SLA)"
        note={lines.length > 0 && <span className="tabular-nums">{lines.length}</span>}
        actions={
          lines.length > 0 && (
            <Button icon={Plus} disabled={lines.length >= slaLimits.targets} onClick={add}>
              Novo prazo
            </Button>
          )
        }
      >
        {lines.length === 0 ? (
          <EmptyState
            icon={Timer}
            title="Nenhum prazo definido"
            description={
              'Com prazos, cada conversa mostra quanto falta para responder e para encerrar, no tempo do ' +
              'expediente, e avisa antes de estourar. Sem eles, nada é medido.'
            }
            action={
              <Button variant="primary" icon={Plus} onClick={add}>
                Novo prazo
              </Button>
            }
          />
        ) : (
          <ul aria-label="Prazos" className="divide-y divide-line">
            {lines.map((line, place) => (
              <TargetLine
                key={line.key}
                line={line}
                problem={isTried ? problems[place] : undefined}
                onChange={(next) => setLines(lines.map((one) => (one.key === line.key ? next : one)))}
                onRemove={() => setLines(lines.filter(({ key }) => key !== line.key))}
              />
            ))}
          </ul>
        )}
      </Card>
      {lines.length > 0 && (
        <p className="mt-3 max-w-[70ch] text-xs text-ink-2">
          Vale a linha mais específica: a da categoria do contato antes da do setor, e as duas antes da geral.
          O relógio para fora do expediente e em espera; o do encerramento, também enquanto se aguarda o
          cliente. Aos 75 % do prazo, quem atende é avisado; depois, o responsável do setor.
        </p>
      )}
      <SaveBar changeCount={changes} isBusy={save.isPending} onDiscard={discard} />
    </form>
  )
}

const lineLook = [
  'grid grid-cols-2 items-start gap-3 p-4',
  'md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_130px_130px_36px]',
].join(' ')

function TargetLine({
  line,
  problem,
  onChange,
  onRemove,
}: {
  line: Line
  problem: string | undefined
  onChange: (line: Line) => void
  onRemove: () => void
}) {
  const { living, areAny, find } = useSectors()
  const { data: categories } = useQuery(contactQueries.categories())
  const chosen = idIn(line.sectorId)
  const sectors =
    chosen === null || living.some(({ id }) => id === chosen)
      ? living
      : [...living, { id: chosen, name: find(chosen)?.name ?? 'Setor excluído' }]
  return (
    <li className={lineLook}>
      {areAny && (
        <Field label="Setor">
          {(control) => (
            <Select
              {...control}
              value={line.sectorId}
              onChange={(sectorId) => onChange({ ...line, sectorId })}
              options={[
                { value: any, label: 'Todos' },
                ...sectors.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
            />
          )}
        </Field>
      )}
      <Field label="Categoria do contato" className={areAny ? '' : 'md:col-span-2'}>
        {(control) => (
          <Select
            {...control}
            value={line.categoryId}
            onChange={(categoryId) => onChange({ ...line, categoryId })}
            options={[
              { value: any, label: 'Todas' },
              ...(categories ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        )}
      </Field>
      <Field label="1ª resposta (min)" error={problem}>
        {(control) => (
          <Input
            {...control}
            type="number"
            inputMode="numeric"
            min={1}
            max={slaLimits.minutes}
            placeholder="sem"
            value={line.reply}
            onChange={(event) => onChange({ ...line, reply: event.target.value })}
          />
        )}
      </Field>
      <Field label="Encerrar (min)">
        {(control) => (
          <Input
            {...control}
            type="number"
            inputMode="numeric"
            min={1}
            max={slaLimits.minutes}
            placeholder="sem"
            value={line.end}
            onChange={(event) => onChange({ ...line, end: event.target.value })}
          />
        )}
      </Field>
      <IconButton
        label="Tirar este prazo"
        icon={X}
        className="max-md:col-span-2 max-md:justify-self-end md:mt-6"
        onClick={onRemove}
      />
    </li>
  )
}

/** Why a line cannot be saved; undefined: it can. */
function problemOf(line: Line, all: readonly Line[]): string | undefined {
  const { replyMinutes, endMinutes } = toTarget(line)
  const isWrong = (minutes: number | null) =>
    minutes !== null && !(Number.isInteger(minutes) && minutes >= 1 && minutes <= slaLimits.minutes)
  if (isWrong(replyMinutes) || isWrong(endMinutes))
    return `De 1 a ${slaLimits.minutes.toLocaleString('pt-BR')} minutos`
  if (replyMinutes === null && endMinutes === null) return 'Diga um prazo, ou tire a linha'
  const isTwice = all.some(
    (one) => one.key !== line.key && one.sectorId === line.sectorId && one.categoryId === line.categoryId,
  )
  return isTwice ? 'Há outro prazo para o mesmo setor e categoria' : undefined
}

/** How many lines are other than those that are stored. */
function countChanges(now: readonly SlaTarget[], stored: readonly SlaTarget[]): number {
  const same = (a: SlaTarget | undefined, b: SlaTarget | undefined) => JSON.stringify(a) === JSON.stringify(b)
  return Array.from({ length: Math.max(now.length, stored.length) }).filter(
    (_, place) => !same(now[place], stored[place]),
  ).length
}
