import { Plus } from 'lucide-react'
import type { ComponentType } from 'react'
import { useSearchParams } from 'wouter'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { EvolutionForm } from './evolution-form.tsx'
import { EvolutionStatus } from './evolution-status.tsx'
import { DoctorSection } from '#web/gateway/doctor/doctor-section.tsx'
import { FirstStepsNote } from '#web/gateway/first-steps/first-steps-note.tsx'
import { NumberCard } from '#web/gateway/link/number-card.tsx'
import { DeleteNumber } from '#web/gateway/numbers/delete-number.tsx'
import { NewNumber } from '#web/gateway/numbers/new-number.tsx'
import { NumberList } from '#web/gateway/numbers/number-list.tsx'
import { useManagedNumbers, useShowNumber } from '#web/gateway/numbers/queries.ts'
import { SetAsideSection } from '#web/gateway/set-aside/set-aside-section.tsx'
import { WebhookSection } from './webhook-section.tsx'

/** What of a number is shown: its connection, or the settings that are its own. */
const parts = [
  { value: 'conexao', label: 'Conexão' },
  { value: 'proprio', label: 'Próprio deste número' },
] as const
type Part = (typeof parts)[number]['value']

const numberParam = 'numero'
const partParam = 'parte'
const added = 'novo'

/** The connections to the gateway: of each number its state, its configuration, its webhook. */
export function EvolutionTab({
  own: Own,
}: {
  /**
   * The settings of a number, from a later room; they are offered where there are several numbers. Absent:
   * another screen has them.
   */
  own?: ComponentType<{ number: ManagedNumber; onSaved: (saved: ManagedNumber) => void }>
}) {
  const numbers = useManagedNumbers()
  const showNumber = useShowNumber()
  const [params, setParams] = useSearchParams()
  const show = (next: Record<string, string | undefined>) =>
    setParams((old) => {
      for (const name of [numberParam, partParam]) old.delete(name)
      for (const [name, value] of Object.entries(next)) if (value !== undefined) old.set(name, value)
      return old
    })
  if (numbers.isPending) return <LoadingTab />
  if (numbers.data === undefined)
    return (
      <ErrorState
        description={numbers.error.message}
        isRetrying={numbers.isFetching}
        onRetry={() => void numbers.refetch()}
      />
    )
  const all = numbers.data
  const asked = params.get(numberParam)
  const isAdding = asked === added && all.length > 0
  const chosen = isAdding ? undefined : (all.find(({ id }) => String(id) === asked) ?? all[0])
  const isSeveral = all.length > 1
  const part: Part = Own && isSeveral && params.get(partParam) === 'proprio' ? 'proprio' : 'conexao'
  const add = () => show({ [numberParam]: added })
  const choose = (id: number) =>
    show({ [numberParam]: String(id), [partParam]: part === 'conexao' ? undefined : part })
  return (
    <>
      <FirstStepsNote />
      {isSeveral && <NumberList numbers={all} chosenId={chosen?.id} onChoose={choose} onAdd={add} />}
      {isAdding ? (
        <NewNumber
          baseUrl={all[0]?.baseUrl ?? ''}
          onAdded={({ id }) => choose(id)}
          onCancel={() => show({})}
        />
      ) : (
        <>
          {Own && isSeveral && chosen && (
            <PartChoice
              name={chosen.instanceName}
              part={part}
              onChoose={(next) => show({ [numberParam]: String(chosen.id), [partParam]: next })}
            />
          )}
          {Own && part === 'proprio' && chosen ? (
            <Own key={chosen.id} number={chosen} onSaved={showNumber} />
          ) : (
            <Connection key={chosen?.id ?? 'new'} number={chosen} isSeveral={isSeveral} onAdd={add} />
          )}
        </>
      )}
    </>
  )
}

function PartChoice({ name, part, onChoose }: { name: string; part: Part; onChoose: (part: Part) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-[22px]">
      <h2 className="min-w-0 truncate text-lg font-semibold" title={name}>
        {name}
      </h2>
      <Segmented label={`O que mostrar de ${name}`} value={part} options={parts} onChange={onChoose} />
    </div>
  )
}

/** The connection of one number; undefined: of the first one, before there is any. */
function Connection({
  number,
  isSeveral,
  onAdd,
}: {
  number: ManagedNumber | undefined
  isSeveral: boolean
  onAdd: () => void
}) {
  return (
    <>
      <EvolutionStatus config={number} />
      {number && (
        <SettingsSection
          title="Conexão com o celular"
          description="O celular do número lê um código uma vez, e a Evolution API continua conectada."
        >
          <NumberCard id={number.id} />
        </SettingsSection>
      )}
      <DoctorSection />
      <SetAsideSection />
      {number && !isSeveral && (
        <SettingsSection
          title="Outros números"
          description="Mais de um número de WhatsApp na mesma instalação, cada um com sua conexão."
        >
          <Button icon={Plus} onClick={onAdd}>
            Adicionar número
          </Button>
        </SettingsSection>
      )}
      <EvolutionForm config={number} isSeveral={isSeveral}>
        <WebhookSection config={number} />
        {number && isSeveral && <DeleteNumber number={number} />}
      </EvolutionForm>
    </>
  )
}

function LoadingTab() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando">
      <SettingsSection title="Situação" description="Como o número está no gateway agora.">
        <Skeleton className="h-28 w-full rounded-card" />
      </SettingsSection>
      <SettingsSection
        title="Conexão"
        description="O servidor da Evolution API e a instância do número."
        isLast
      >
        <Skeleton className="h-(--height-field) w-full max-w-[480px] rounded-control" />
        <Skeleton className="h-(--height-field) w-full max-w-[480px] rounded-control" />
        <Skeleton className="h-(--height-field) w-full max-w-[480px] rounded-control" />
      </SettingsSection>
    </div>
  )
}
