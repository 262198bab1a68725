import { useFormContext } from 'react-hook-form'
import type { Inherited } from '#shared/sectors/managed-sectors.ts'
import { NumbersChoice } from '#web/settings/sectors/choices/numbers-choice.tsx'
import { Section } from './section.tsx'
import type { SectorValues } from './sector-values.ts'

/** Nothing where there is one number only, and it is served. */
export function NumbersSection({
  inherited: { numbers },
  isWhole,
}: {
  inherited: Inherited
  isWhole: boolean
}) {
  const { watch, setValue, formState } = useFormContext<SectorValues>()
  const value = watch('numberIds')
  if (numbers.length < 2 && value === null) return null
  return (
    <Section title="Números" description="De onde o setor atende." isLocked={!isWhole}>
      <NumbersChoice
        numbers={numbers}
        value={value}
        isDisabled={!isWhole}
        error={formState.errors.numberIds?.message}
        onChange={(next) => setValue('numberIds', next, { shouldDirty: true, shouldValidate: true })}
      />
    </Section>
  )
}
