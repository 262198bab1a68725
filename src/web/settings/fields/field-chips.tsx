import { maxSettingText } from '#shared/settings/schedule.ts'
import { fieldLabels } from '#shared/text/field-names.ts'
import type { Placeholder } from '#shared/text/template.ts'
import { cn } from '#web/ui/cn.ts'

/** The fields of a text, each a button that inserts it at the cursor. */
export function FieldChips({
  fields,
  length,
  onInsert,
}: {
  fields: readonly Placeholder[]
  /** Characters written so far. */
  length: number
  onInsert: (word: string) => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-xs text-ink-3">
      <span>Campos:</span>
      {fields.map((name) => (
        <button
          key={name}
          type="button"
          aria-label={`Inserir ${fieldLabels[name]}`}
          title={`{{${name}}}`}
          onClick={() => onInsert(`{{${name}}}`)}
          className={[
            'inline-flex h-6 items-center rounded-[5px] border border-line',
            'bg-sunken px-[7px] font-medium text-ink-2 not-disabled:hover:bg-hover',
          ].join(' ')}
        >
          {fieldLabels[name]}
        </button>
      ))}
      <span className={cn('ml-auto tabular-nums', length > maxSettingText && 'text-red-text')}>
        {charactersOf(length)}
      </span>
    </div>
  )
}

function charactersOf(length: number): string {
  const count = length.toLocaleString('pt-BR')
  if (length > maxSettingText) return `${count} de ${maxSettingText.toLocaleString('pt-BR')} caracteres`
  return length === 1 ? '1 caractere' : `${count} caracteres`
}

/** Inserts a word at the cursor, which stays behind it. @returns the new text */
export function insertWord(area: HTMLTextAreaElement, word: string): string {
  area.setRangeText(word, area.selectionStart, area.selectionEnd, 'end')
  area.focus()
  return area.value
}
