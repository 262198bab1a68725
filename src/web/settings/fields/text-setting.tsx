import { TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldChips, insertWord } from './field-chips.tsx'
import { type TextKey, textSettings, unfilledIn } from './texts.ts'
import { TextPreview } from './text-preview.tsx'

/** A text for the client: its fields, those that would not be filled, and a preview. */
export function TextSetting({
  name,
  label: given,
  rows = 3,
  hasPreview = true,
}: {
  name: TextKey
  /** What it is called here; absent: as everywhere. */
  label?: string
  rows?: number
  /** Omitted where something else shows it. */
  hasPreview?: boolean
}) {
  const { register, watch, setValue, formState } = useFormContext<SystemSettings>()
  const area = useRef<HTMLTextAreaElement>(null)
  const { ref, ...field } = register(name)
  const { label, when, fields } = textSettings[name]
  const text = watch(name)

  const insert = (word: string) => {
    if (area.current)
      setValue(name, insertWord(area.current, word), { shouldDirty: true, shouldValidate: true })
  }

  return (
    <div className={`grid w-full gap-x-5 gap-y-2 ${hasPreview ? 'lg:grid-cols-[minmax(0,1fr)_264px]' : ''}`}>
      <div className="grid content-start gap-1.5">
        <Field label={given ?? label} hint={when} error={formState.errors[name]?.message}>
          {(control) => (
            <textarea
              {...control}
              {...field}
              ref={(element) => {
                ref(element)
                area.current = element
              }}
              rows={rows}
              dir="auto"
              className={fieldLook('lines')}
            />
          )}
        </Field>
        <FieldChips fields={fields} length={text.length} onInsert={insert} />
        <Unfilled text={text} fields={fields} />
      </div>
      {hasPreview && <TextPreview text={text} />}
    </div>
  )
}

function Unfilled({ text, fields }: { text: string; fields: Parameters<typeof unfilledIn>[1] }) {
  return unfilledIn(text, fields).map((warning) => (
    <p key={warning} role="status" className="flex items-center gap-[5px] text-xs text-amber-text">
      <TriangleAlert size={14} aria-hidden className="shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{warning}.</span>
    </p>
  ))
}
