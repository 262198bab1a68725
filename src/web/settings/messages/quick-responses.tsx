import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { maxShortcut, type SystemSettings } from '#shared/settings/settings.ts'
import { fold } from '#shared/text/fold.ts'
import { replyQueries } from '#web/quick-replies/quick-replies.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { errorAt } from '#web/settings/fields/controls.tsx'
import { FieldChips, insertWord } from '#web/settings/fields/field-chips.tsx'
import { QuickResponseAttachment } from './quick-response-attachment.tsx'
import { fieldsOfReplies, usesText } from '#web/settings/replies/replies.ts'
import { unfilledIn } from '#web/settings/fields/texts.ts'

/** The quick responses in the order they are offered, changed by dragging or by buttons. */
export function QuickResponses() {
  const { control } = useFormContext<SystemSettings>()
  const { fields, append, remove, move } = useFieldArray({ control, name: 'quickResponses' })
  const [dragged, setDragged] = useState<number>()

  const rowProps = (index: number) => ({
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      if (dragged === index) return
      move(dragged, index)
      setDragged(index)
    },
    onDrop: (event: DragEvent) => event.preventDefault(),
  })

  return (
    <>
      {fields.length === 0 && <p className="text-sm text-ink-3">Nenhuma resposta rápida cadastrada.</p>}
      {fields.length > 0 && (
        <ol className="grid w-full gap-2.5" aria-label="Respostas rápidas">
          {fields.map((field, index) => (
            <li
              key={field.id}
              {...rowProps(index)}
              className={cn(
                'flex items-start gap-2 rounded-card border border-line bg-surface p-3',
                dragged === index && 'opacity-60',
              )}
            >
              <span
                draggable
                onDragStart={() => setDragged(index)}
                onDragEnd={() => setDragged(undefined)}
                title="Arraste para ordenar"
                className="mt-7 hidden h-9 cursor-grab place-items-center text-ink-3 md:grid"
              >
                <GripVertical size={16} aria-hidden />
              </span>
              <QuickResponse index={index} />
              <span className="mt-7 flex shrink-0 flex-col md:flex-row">
                <IconButton
                  icon={ArrowUp}
                  size="sm"
                  label={`Mover para cima: resposta ${index + 1}`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <IconButton
                  icon={ArrowDown}
                  size="sm"
                  label={`Mover para baixo: resposta ${index + 1}`}
                  disabled={index === fields.length - 1}
                  onClick={() => move(index, index + 1)}
                />
                <IconButton
                  icon={Trash2}
                  size="sm"
                  tone="danger"
                  label={`Remover resposta ${index + 1}`}
                  onClick={() => remove(index)}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
      <Button icon={Plus} onClick={() => append({ shortcut: '', text: '' })}>
        Adicionar resposta
      </Button>
    </>
  )
}

function QuickResponse({ index }: { index: number }) {
  const { register, watch, setValue, formState } = useFormContext<SystemSettings>()
  const name = `quickResponses.${index}` as const
  const area = useRef<HTMLTextAreaElement>(null)
  const { ref, ...textField } = register(`${name}.text`)
  const text = watch(`${name}.text`) ?? ''
  const shortcut = fold(watch(`${name}.shortcut`) ?? '')
  const used = useQuery(replyQueries.known()).data?.general.find((one) => one.shortcut === shortcut)
  const warning = unfilledIn(text, fieldsOfReplies).join('; ')
  return (
    <div className="grid min-w-0 flex-1 items-start gap-3 md:grid-cols-[160px_minmax(0,1fr)]">
      <Field label="Atalho" error={errorAt(formState.errors, `${name}.shortcut`)}>
        {(control) => (
          <Input
            {...control}
            {...register(`${name}.shortcut`)}
            placeholder="pix"
            maxLength={maxShortcut}
            autoComplete="off"
            leading={<span className="text-ink-3">/</span>}
          />
        )}
      </Field>
      <div className="grid gap-1.5">
        <Field label="Texto" hint={warning} error={errorAt(formState.errors, `${name}.text`)}>
          {(control) => (
            <textarea
              {...control}
              {...textField}
              ref={(element) => {
                ref(element)
                area.current = element
              }}
              rows={2}
              dir="auto"
              className={fieldLook('lines')}
            />
          )}
        </Field>
        <FieldChips
          fields={fieldsOfReplies}
          length={text.length}
          onInsert={(word) => {
            if (area.current) setValue(`${name}.text`, insertWord(area.current, word), { shouldDirty: true })
          }}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 md:col-start-2">
        <div className="min-w-0 flex-1">
          <QuickResponseAttachment index={index} />
        </div>
        {used && <span className="text-xs text-ink-2 tabular-nums">{usesText(used.uses)}</span>}
      </div>
    </div>
  )
}
