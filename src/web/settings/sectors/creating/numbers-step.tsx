import type { Inherited } from '#shared/sectors/managed-sectors.ts'
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
  const toggle = (id: number, isOn: boolean) =>
    onChange({ defaultOf: isOn ? [...defaultOf, id] : defaultOf.filter((one) => one !== id) })
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
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-medium">Setor padrão de</legend>
        {served.map(({ id, name }) => (
          <label key={id} className="flex min-h-8 min-w-0 items-center gap-2 text-sm max-md:min-h-11">
            <input
              type="checkbox"
              checked={defaultOf.includes(id)}
              onChange={({ target }) => toggle(id, target.checked)}
              className="size-4 flex-none accent-accent"
            />
            <span className="min-w-0 truncate" title={name} dir="auto">
              {name}
            </span>
          </label>
        ))}
        {served.length === 0 && <p className="text-sm text-ink-3">Nenhum número está conectado ainda.</p>}
        <p className="text-xs text-pretty text-ink-3">
          Conversas novas de um número marcado vão para este setor. As outras ficam em ‘Sem setor’, e quem
          atende as coloca.
        </p>
      </fieldset>
    </>
  )
}
