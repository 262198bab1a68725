import { useFormContext } from 'react-hook-form'
import type { Candidate, ManagedSector } from '#shared/sectors/managed-sectors.ts'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { PeopleList } from '#web/settings/sectors/choices/people-list.tsx'
import { Section } from './section.tsx'
import type { SectorValues } from './sector-values.ts'

export function PeopleSection({
  sector,
  candidates,
  general,
}: {
  sector: ManagedSector
  candidates: readonly Candidate[]
  /** The installation's limit of open conversations a person. */
  general: number
}) {
  const { watch, setValue } = useFormContext<SectorValues>()
  const people = watch('people')
  return (
    <Section
      title="Pessoas"
      description="Responsáveis veem o setor inteiro e mudam pessoas, textos e horário."
    >
      <div className="grid w-full grid-cols-[minmax(0,1fr)] gap-2">
        <PeopleList
          people={people}
          known={sector.people}
          sectorId={sector.id}
          candidates={candidates}
          onChange={(next) => setValue('people', next, { shouldDirty: true })}
        />
        <Limit general={general} isWhole={sector.isWhole} />
      </div>
    </Section>
  )
}

function Limit({ general, isWhole }: { general: number; isWhole: boolean }) {
  const { watch, setValue, register, formState } = useFormContext<SectorValues>()
  const limit = watch('maxActivePerOperator')
  const error = formState.errors.maxActivePerOperator?.message
  return (
    <div
      className="flex min-h-9 w-full flex-wrap items-center gap-2 text-sm text-ink-2"
      title={isWhole ? undefined : 'Somente administradores'}
    >
      <span className="min-w-0 flex-1">Limite por pessoa</span>
      {limit !== null && (
        <Input
          {...register('maxActivePerOperator', {
            // Nothing in the field is refused, and not the general limit.
            setValueAs: (typed: unknown) => (typed === null ? null : Number(typed)),
          })}
          aria-label="Limite próprio por pessoa"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'limite-erro' : undefined}
          type="number"
          inputMode="numeric"
          min={1}
          max={1000}
          fieldSize="bar"
          disabled={!isWhole}
          className="w-20"
        />
      )}
      <Select
        aria-label="Limite por pessoa"
        fieldSize="bar"
        className="w-[150px]"
        isDisabled={!isWhole}
        value={limit === null ? 'general' : 'own'}
        onChange={(next) =>
          setValue('maxActivePerOperator', next === 'own' ? general : null, {
            shouldDirty: true,
            shouldValidate: true,
          })
        }
        options={[
          { value: 'general', label: `Geral (${general})` },
          { value: 'own', label: 'Próprio' },
        ]}
      />
      {error && (
        <p id="limite-erro" role="alert" className="w-full text-right text-xs text-red-text">
          {error}
        </p>
      )}
    </div>
  )
}
