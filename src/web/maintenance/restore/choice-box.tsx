import { useId } from 'react'

/** One part of a backup that can be restored on its own. */
export function ChoiceBox({
  label,
  hint,
  isOn,
  onToggle,
}: {
  label: string
  hint: string
  isOn: boolean
  onToggle: (isOn: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5 text-sm">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onToggle(target.checked)}
        className="mt-px size-4 flex-none accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-xs text-ink-2">
          {hint}
        </p>
      </div>
    </div>
  )
}
