import { useFormContext } from 'react-hook-form'
import type { Inherited, ManagedSector } from '#shared/sectors/managed-sectors.ts'
import { DefaultChoice } from '#web/settings/sectors/choices/default-choice.tsx'
import { NumbersChoice } from '#web/settings/sectors/choices/numbers-choice.tsx'
import { Section } from './section.tsx'
import type { SectorValues } from './sector-values.ts'

/** Which numbers the sector serves, where there are several, and of which it gets the new conversations. */
export function NumbersSection({
  inherited: { numbers },
  others,
  isWhole,
}: {
  inherited: Inherited
  others: readonly ManagedSector[]
  isWhole: boolean
}) {
  const { watch, setValue, formState } = useFormContext<SectorValues>()
  const [value, defaultOf] = watch(['numberIds', 'defaultOf'])
  if (numbers.length === 0) return null
  const isChosen = numbers.length > 1 || value !== null
  return (
    <Section
      title="Números"
      description={isChosen ? 'De onde o setor atende, e recebe.' : 'De onde o setor recebe.'}
      isLocked={!isWhole}
    >
      {isChosen && (
        <NumbersChoice
          numbers={numbers}
          value={value}
          isDisabled={!isWhole}
          error={formState.errors.numberIds?.message}
          onChange={(next) => setValue('numberIds', next, { shouldDirty: true, shouldValidate: true })}
        />
      )}
      <DefaultChoice
        numbers={numbers.filter(({ id }) => value === null || value.includes(id))}
        value={defaultOf}
        others={others}
        isDisabled={!isWhole}
        onChange={(next) => setValue('defaultOf', next, { shouldDirty: true })}
      />
    </Section>
  )
}
