import type { Inherited } from '#shared/sectors/managed-sectors.ts'
import { DefaultChoice } from '#web/settings/sectors/choices/default-choice.tsx'
import { NumbersChoice } from '#web/settings/sectors/choices/numbers-choice.tsx'
import type { Draft } from './use-new-sector.ts'

/** Which numbers the sector serves, and of which it gets the new conversations. */
export function NumbersStep({
  draft: { numberIds, defaultOf },
  numbers,
  onChange,
}: {
  draft: Draft
  numbers: Inherited['numbers']
  onChange: (change: Partial<Draft>) => void
}) {
  const served = numbers.filter(({ id }) => numberIds === null || numberIds.includes(id))
  return (
    <>
      {numbers.length > 1 && (
        <>
          <p className="text-sm text-ink-2">De onde o setor atende.</p>
          <NumbersChoice
            numbers={numbers}
            value={numberIds}
            // Without any it would serve none: all are meant then.
            onChange={(next) => onChange({ numberIds: next?.length === 0 ? null : next })}
          />
        </>
      )}
      <DefaultChoice numbers={served} value={defaultOf} onChange={(next) => onChange({ defaultOf: next })} />
    </>
  )
}
